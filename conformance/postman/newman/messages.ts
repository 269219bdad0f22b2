import type { Answer, RequestPlan, WireProblem } from '../../wire/index.js';

/** What the process that runs Newman is told, over its channel and not on its command line: it holds a secret. */
export interface Order {
  readonly collection: object;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** Ids of the requests that go to the clock, which may take as long as it likes. */
  readonly toClock: readonly string[];
  readonly ca?: string;
  readonly insecure: boolean;
  readonly keepAlive: boolean;
}

/** What it tells back, in the order in which it happened. `id` is the id of the request in the collection. */
export type News =
  | { readonly kind: 'began'; readonly id: string }
  | {
      readonly kind: 'exchange';
      readonly id: string;
      readonly request: RequestPlan;
      readonly answer?: Answer;
      readonly problem?: WireProblem;
      readonly durationMs: number;
    }
  | { readonly kind: 'test'; readonly id: string; readonly name: string; readonly skipped: boolean; readonly error?: string }
  | { readonly kind: 'broke'; readonly id: string; readonly message: string }
  | { readonly kind: 'done'; readonly problem?: string };
