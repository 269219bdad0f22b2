import type { Spec } from '../spec/index.js';
import type { Child } from './children.js';
import type { BenchOptions } from './options.js';
import type { Results } from './result.js';

/** What every measure is given. */
export interface Bench {
  readonly options: BenchOptions;
  readonly spec: Spec;
  readonly results: Results;
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
