import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Protocol, Spec } from '../../spec/index.js';
import type { MaybePromise, Store, TokenRecord } from '../stores/index.js';
import type { User } from '../users.js';
import type { Clock } from './clock.js';

export type { MaybePromise, TokenRecord };

/** A header line as it goes on the wire. */
export type HeaderLine = readonly [name: string, value: string];

/** The base URL under which a client knows the server, and what was made for it. */
export interface Base {
  /** Without a slash at the end. */
  readonly url: string;
  /** Octets of the documents already written for this base URL, by path below it. */
  readonly written: Map<string, Buffer>;
  /** Header lines that every response under this base URL carries. */
  readonly common: readonly HeaderLine[];
  /** The same by name in lower case, for answers of an application; how long these may be kept is its own affair. */
  readonly fields: Readonly<Record<string, string>>;
  /** The protocol that is spoken there. */
  readonly protocol: Protocol;
}

/** A request as the parts see it. */
export interface Incoming {
  /** As sent, in capitals. */
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** The path without query, percent-encoding of plain characters undone. */
  readonly path: string;
  /** By name in lower case; repeated lines are joined as Node.js joins them. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly base: Base;
  readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse };
  /** Whom the guard has let in; nobody before it has, and while authentication is off. */
  user: number | undefined;
  /** The guard's reasons, for whoever shows them. */
  found: Found;
}

/** What the guard found on the way to its answer. What it did not look at is missing. */
export interface Found {
  /** Why the request is not protected. */
  open?: 'off' | 'preflight';
  /** Whether the token is honoured. */
  token?: boolean;
  /** Whether the nonce opens. */
  nonce?: boolean;
  credentials?: 'malformed' | 'wrong' | 'right';
}

/** An answer, whole. The server adds nothing to it but what frames it on the connection. */
export interface Answer {
  readonly status: number;
  /** The reason phrase, where it is not the usual one. */
  readonly reason?: string;
  /** Every line in order; repetitions are sent as such. */
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** What an Authorization header says. */
export interface Presented {
  readonly id: string;
  readonly paraphrase: string;
}

/** Decides what becomes of a request. */
export interface Guard {
  /** The answer to give in place of the resource, or undefined: the request is served. Calls the others below. */
  decide(request: Incoming, parts: Parts): MaybePromise<Answer | undefined>;
  /** A real CORS preflight, the one request that is not protected. */
  isPreflight(request: Incoming): boolean;
  /** Step C: the user whose valid token the request carries. */
  byToken(request: Incoming, parts: Parts): MaybePromise<number | undefined>;
  /** Step B: the user whose credentials the request carries beside a nonce that opens. */
  byCredentials(request: Incoming, parts: Parts): MaybePromise<number | undefined>;
}

export interface Nonces {
  issue(): string;
  /** Whether it was issued here, lives and is not spent. */
  check(nonce: string): MaybePromise<boolean>;
  /** The same, and spends it: of any number of callers with one nonce, one is told true. */
  spend(nonce: string): MaybePromise<boolean>;
}

export interface Credentials {
  /** Reads an Authorization value; undefined when it is malformed. */
  read(authorization: string): Presented | undefined;
  /** The id of the user whose id and paraphrase these are. */
  verify(presented: Presented): MaybePromise<number | undefined>;
}

export interface Tokens {
  readonly lifetimeMs: number;
  /** A new token's text. */
  draw(): string;
  keep(token: string, record: TokenRecord): MaybePromise<void>;
  find(token: string): MaybePromise<TokenRecord | undefined>;
  honours(record: TokenRecord, nowMs: number): boolean;
  /** Draws a token for the user, keeps and returns it. */
  issue(user: number, parts: Parts): MaybePromise<string>;
  /** The user whose token this is, while it is valid. */
  lookup(token: string, parts: Parts): MaybePromise<number | undefined>;
}

/** What every answer is. */
export interface Answers {
  challenge(nonce: string, request: Incoming, parts: Parts): Answer;
  exchange(token: string, request: Incoming, parts: Parts): Answer;
  resource(document: Buffer, request: Incoming, parts: Parts): Answer;
  preflight(request: Incoming, parts: Parts): Answer;
  /** Any other error, keyed by its status; to something that is no request as well, so all it knows is the base URL. */
  error(status: number, base: Base, parts: Parts, more?: readonly HeaderLine[], message?: string): Answer;
  /** Puts what every answer carries on one that an application makes itself, by name in lower case; its own type and links stand. */
  complete(fields: Record<string, string>, base: Base): void;
}

/** The JSON-LD documents, as data. */
export interface Documents {
  entryPoint(base: Base): object;
  vocabulary(base: Base): object;
  collection(name: string, base: Base): object;
  member(name: string, member: number, base: Base): object | undefined;
}

export interface Resources {
  /** The octets of what stands at a path below the base URL (the entry point at the empty one); undefined: nothing does. */
  find(path: string, request: Incoming, parts: Parts): Buffer | undefined;
}

/** Puts answers on the wire. */
export interface Wire {
  /** Writes the body; Hapi has made the head out of the answer's lines, and nothing of it is written yet. */
  send(answer: Answer, request: Incoming): void;
  /** Answers something that is no HTTP request, and ends the connection. */
  reject(answer: Answer, socket: Socket): void;
}

/**
 * What the server is made of. Any part, or any function of one, can be replaced alone: `{ ...parts, tokens: { ...parts.tokens, lookup } }`.
 * Functions use no `this`, and reach other parts (and their own neighbours) through the parts they are given.
 */
export interface Parts {
  readonly clock: Clock;
  readonly guard: Guard;
  readonly nonces: Nonces;
  readonly credentials: Credentials;
  readonly tokens: Tokens;
  readonly answers: Answers;
  readonly documents: Documents;
  readonly resources: Resources;
  readonly wire: Wire;
}

/** What parts are made from. */
export interface PartsContext {
  readonly spec: Spec;
  readonly clock: Clock;
  readonly store: Store;
  /** The users given; none where a function looks them up. */
  readonly users: readonly User[];
  readonly collections: readonly string[];
  readonly guard: {
    readonly auth: 'on' | 'off';
    readonly tokens: 'on' | 'off';
    /** Whether a request with wrong credentials spends its nonce too, so that a guess costs a nonce. */
    readonly refusalSpendsNonce: boolean;
  };
  readonly nonce: NoncePolicy;
}

export interface NoncePolicy {
  readonly lifetimeMs: number;
  readonly singleUse: boolean;
}
