import type { About, Allowance } from '../oracle/index.js';
import type { HeaderLine } from '../wire/index.js';

/** What the same client does just before a request; `pipelined` is a request whose answer it does not wait for. */
export type Before = 'use' | 'login of another' | 'pipelined';

/** A request in the making: what it brings is added last. */
export interface Draft {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  /** How the path of the base URL is written, where otherwise. */
  readonly basePath?: string;
  readonly query: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string;
  readonly freshConnection?: boolean;
  /** It arrives in two pieces. */
  readonly inPieces?: true;
  readonly httpVersion?: '1.0';
  /** The target is written with scheme and authority. */
  readonly absolute?: boolean;
  readonly nameCase?: (name: string) => string;
  readonly before?: Before;
  /** It returns the cookies that the target set for its address. */
  readonly returnsCookies?: true;
}

/** What the target has, as far as a circumstance is made of it. */
export interface Scene {
  readonly basePath: string;
  readonly origin: string;
  readonly collections: readonly [string, ...string[]];
  readonly vocabulary: string;
  readonly mediaType: string;
  /** Paths below the base URL that documents of the service name. */
  readonly named?: readonly string[];
  /** Seen in answers to granted requests. */
  readonly etag?: string;
}

/** One thing about a request that must not matter. */
export interface Circumstance {
  /** Stable, and one within its dimension; selects it for a replay. */
  readonly id: string;
  /** As the end of a sentence: "… when the method is HEAD". */
  readonly words: string;
  readonly change: (draft: Draft, scene: Scene) => Draft;
  readonly allows?: Allowance;
  /** Many servers answer it before they look at anything else, so that it would hide other circumstances. */
  readonly masks?: true;
  /** Who alone is tried with it; everybody, by default. */
  readonly askers?: readonly About[];
  /** Ids of circumstances that it may not stand beside, because together they would make another request. */
  readonly notBeside?: readonly string[];
  /** With a query or another condition beside it, it is about something else: the deciding states try it by itself, too. */
  readonly byItself?: true;
  /** A service that believes it answers another method. */
  readonly changesMethod?: true;
  /** The rows that tell a failure caused by it, where they are not those of its dimension. */
  readonly tells?: Tells;
}

/** The row that tells a failure, by who asks. What is not listed is told by the row of the state. */
export type Tells = Partial<Record<About, string>>;

/** A list of things of which a request has exactly one; the first is the plain one. */
export interface Dimension {
  readonly name: string;
  readonly values: (scene: Scene) => readonly [Circumstance, ...Circumstance[]];
  readonly tells: Tells;
  /** No server answers it before it looks at the rest, so that many such circumstances can be tried in one request. */
  readonly bundles?: true;
}

export const none: Circumstance = { id: '-', words: '', change: (draft) => draft };

export const sets =
  (fields: Partial<Draft>): Circumstance['change'] =>
  (draft) => ({ ...draft, ...fields });

export const withHeaders =
  (...lines: HeaderLine[]): Circumstance['change'] =>
  (draft) => ({ ...draft, headers: [...draft.headers, ...lines] });

/** A circumstance that is one header line, made of what the target has. */
export function ownLine(id: string, words: string, made: (scene: Scene) => HeaderLine, allows?: Allowance): Circumstance {
  return { id, words, change: (draft, scene) => withHeaders(made(scene))(draft, scene), ...(allows && { allows }) };
}

/** The same with a fixed line, which tells what it is. */
export function line(name: string, value: string, allows?: Allowance): Circumstance {
  return ownLine(`${name}: ${value}`, `the request has "${name}: ${value}"`, () => [name, value], allows);
}

/** A dimension of details that a guard must not look at, none of them by default. */
export function details(name: string, values: readonly Circumstance[]): Dimension {
  return { name, values: () => [none, ...values], tells: { stranger: 'protection.headers' } };
}

/**
 * One whose values can stand beside those of others. Few values make few requests: what differs by name is better kept in several
 * dimensions, so that one request has several of them.
 */
export const bundled = (name: string, values: readonly Circumstance[]): Dimension => ({ ...details(name, values), bundles: true });

export const masking = (circumstance: Circumstance): Circumstance => ({ ...circumstance, masks: true });

/** The message is malformed or misdirected: any refusal will do, and nothing must be granted. */
export const malformed = { anyRefusal: true, grantIsOpen: true } as const satisfies Allowance;

/** Statuses that HTTP has for other mistakes in a request. Whether the challenge must come first can be read two ways. */
export const beforeChallenge = (...statuses: number[]): Pick<Allowance, 'instead'> => ({
  instead: { statuses, row: 'protection.challenge-first' },
});
