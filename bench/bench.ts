import type { Spec } from '../spec/index.js';
import { cli } from './build.js';
import type { Child, startChild } from './children.js';
import type { Figure } from './figures.js';

/** What every measure is given. */
export interface Bench {
  /** Fewer and shorter rounds: shows that everything works, not how fast it is. */
  readonly quick: boolean;
  readonly spec: Spec;
  readonly figures: Figure[];
  readonly rounds: number;
  /** Starts a script below bench/ in a process of its own, which is stopped when the measure is taken. */
  readonly start: typeof startChild;
  /** The load generator. */
  readonly loader: Child<object>;
  log(text: string): void;
}

export const user = { id: '1', paraphrase: 'correct horse battery staple' };
export const users = [user, { id: '2', paraphrase: 'a:paraphrase:with:colons' }];
export const collections = ['books', 'people'];
/** The words of a command that judges a server. */
export const checking = (url: string, clock: string): string[] => {
  const given = users.flatMap(({ id, paraphrase }) => ['--user', `${id}:${paraphrase}`]);
  return [cli, 'check', url, '--collection', ...collections, ...given, '--clock', clock];
};

export const authorizationOf = ({ protocol }: Spec): string =>
  `${protocol.challenge.scheme} ${Buffer.from(`${user.id}:${user.paraphrase}`).toString('base64')}`;
