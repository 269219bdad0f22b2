/** What a request takes from an earlier answer, as it came or changed by a little; or a value that nobody issued. */
export type Value = { readonly of: string; readonly changed?: 'almost' | 'cut' | 'longer' } | { readonly madeUp: string };

/** What must be seen in an answer for the requests that build on it to be sent. */
export type Keeps = 'challenge' | 'nonce' | 'token' | 'served' | 'resource' | 'guarded' | 'refusal' | 'clock';

/** One test of a request. How it is judged follows from its requirement and from what the request carries. */
export interface Check {
  readonly requirement: string;
  readonly what: string;
  /** The earlier request that had to be refused; this one is its accepted control, and tells the verdict. */
  readonly refusal?: string;
  /** An earlier request with whose answer this one is compared. */
  readonly compared?: string;
  /** An earlier request whose answer may leave this untested. */
  readonly unless?: string;
}

/** One request of the collection as it is written down: a read of the collection without credentials, changed by what is given. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly shows?: string;
  readonly method?: string;
  readonly to?: 'collection' | 'vocabulary' | 'nowhere' | 'clock';
  readonly query?: string;
  readonly nonce?: Value;
  readonly credentials?: 'right' | 'of nobody' | 'wrong';
  readonly token?: Value;
  readonly headers?: Readonly<Record<string, string>>;
  /** How far this request moves the target's clock. */
  readonly advanceMs?: number;
  readonly keeps?: Keeps;
  /** Why the requests that build on this one are skipped when it did not bring about what it keeps. */
  readonly otherwise?: string;
  /** Requests that lead to this one, beside those it takes a value from. */
  readonly after?: readonly string[];
  /** Requests that come before this one whether they succeed or not. */
  readonly behind?: readonly string[];
  /** Requests without whose success this one is not worth sending, although they do not lead to it. */
  readonly needs?: readonly string[];
  readonly checks?: readonly Check[];
}

export interface Folder<Each = Row> {
  readonly id: string;
  /** The names of its requests begin with this letter and a number. */
  readonly letter: string;
  readonly name: string;
  readonly about: string;
  readonly requests: readonly Each[];
}

export function folder(id: string, letter: string, name: string, about: string, requests: readonly Row[]): Folder {
  return { id, letter, name, about, requests };
}

export function check(requirement: string, what: string, more: Partial<Check> = {}): Check {
  return { requirement, what, ...more };
}

export function row(id: string, name: string, given: Partial<Row>): Row {
  return { ...given, id, name };
}

export function askForNonce(id: string, name: string, needs: readonly string[]): Row {
  return row(id, name, { needs, keeps: 'nonce' });
}

export function loginWith(nonce: string, id: string, name: string, given: Partial<Row> = {}): Row {
  return row(id, name, { nonce: { of: nonce }, credentials: 'right', keeps: 'token', ...given });
}
