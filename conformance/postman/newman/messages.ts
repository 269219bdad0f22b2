import type { Answer, RequestPlan, WireProblem } from '../../wire/index.js';
import type { CheckResult } from '../sandbox/pm.js';

/** One run of a collection. It holds a secret, so that it is sent over the channel of the process and not on its command line. */
export interface NewmanJob {
  readonly collection: object;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Ids of the requests that go to the clock. They have no time limit, because a clock may wait in real time. */
  readonly toClock: readonly string[];
  /** Milliseconds between two requests. */
  readonly apartMs: number;
  readonly ca?: string;
  readonly insecure: boolean;
  readonly keepAlive: boolean;
}

/** What happens during a job, in order. `id` is the id of the request in the collection. */
export type NewmanEvent =
  | { readonly kind: 'began'; readonly id: string }
  | {
      readonly kind: 'exchange';
      readonly id: string;
      readonly request: RequestPlan;
      readonly answer?: Answer;
      readonly problem?: WireProblem;
      readonly sentAtSteadyMs: number;
      readonly durationMs: number;
    }
  | { readonly kind: 'results'; readonly results: readonly CheckResult[] }
  | { readonly kind: 'broke'; readonly id: string; readonly message: string }
  | { readonly kind: 'done'; readonly problem?: string };

/** The clock that all processes of a machine have in common and nobody sets, other than the time since the epoch. */
export const steadyMs = (): number => Number(process.hrtime.bigint()) / 1e6;
