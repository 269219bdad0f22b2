import type { Spec } from '../spec/index.js';
import type { Child, startChild } from './children.js';
import type { Results } from './result.js';

/** How the bench was called. */
interface BenchOptions {
  /** Fewer and shorter rounds: shows that everything works, not how fast it is. */
  readonly quick: boolean;
  readonly json: string | undefined;
  /** Names of measures; all when empty. */
  readonly only: readonly string[];
}

/** What every measure is given. */
export interface Bench {
  readonly options: BenchOptions;
  readonly spec: Spec;
  readonly results: Results;
  /** Starts a script below bench/ in a process of its own, which is stopped when the measure is taken. */
  readonly start: typeof startChild;
  /** The load generator. */
  readonly loader: Child<object>;
  readonly rounds: number;
  readonly burstSeconds: number;
  log(text: string): void;
}

export const user = { id: '1', paraphrase: 'correct horse battery staple' };
export const users = [user, { id: '2', paraphrase: 'a:paraphrase:with:colons' }];
export const collections = ['books', 'people'];

export function authorizationOf({ protocol }: Spec): string {
  return `${protocol.challenge.scheme} ${Buffer.from(`${user.id}:${user.paraphrase}`).toString('base64')}`;
}
