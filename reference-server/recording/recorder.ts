import type { Socket } from 'node:net';
import type { Answer, Found, Incoming } from '../parts/index.js';
import type { Brought } from './brought.js';
import type { RecordedExchange } from './exchange.js';

/** The faults and variants that were on for a request, and the trouble that it met. */
export type SwitchedOn = Pick<RecordedExchange, 'faults' | 'variants' | 'trouble'>;

/** An exchange as it is kept: what was seen, for nobody may ever want it described. */
export interface Noted {
  readonly number: number;
  readonly atMs: number;
  readonly wallMs: number;
  readonly tookMs: number;
  readonly connection: number;
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly answer: Answer;
  readonly on: SwitchedOn;
  readonly user: number | undefined;
  readonly found: Found;
  readonly brought: Brought;
}

/** A body beyond this is not held on to. */
const keptOctets = 65_536;

/** Keeps the last exchanges in a ring, and tells those who wait. */
export class Recorder {
  readonly #ring: Noted[] = [];
  readonly #connections = new WeakMap<Socket, number>();
  readonly #listeners = new Set<() => void>();
  #connection = 0;
  #first = 1;
  #last = 0;

  constructor(readonly size: number) {}

  /** The number of the last exchange. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest that is kept; beyond the last one when none is. */
  get first(): number {
    return Math.max(this.#first, this.#last - this.size + 1);
  }

  note(
    { method, target, rawHeaders, raw, user, found }: Incoming,
    answer: Answer,
    atMs: number,
    receivedMs: number,
    on: SwitchedOn,
    brought: Brought,
  ): void {
    const wallMs = Date.now();
    const number = ++this.#last;
    this.#ring[number % this.size] = {
      number,
      atMs,
      wallMs,
      tookMs: Math.max(0, wallMs - receivedMs),
      connection: this.#connectionOf(raw.req.socket),
      method,
      target,
      rawHeaders,
      answer: answer.body.length > keptOctets ? { ...answer, body: Buffer.from(answer.body.subarray(0, keptOctets)) } : answer,
      on,
      user,
      found,
      brought,
    };
    for (const listener of this.#listeners) listener();
  }

  /** In the order in which they came. */
  after(number: number, limit = this.size): readonly Noted[] {
    const from = Math.max(number + 1, this.first);
    return Array.from(
      { length: Math.min(limit, Math.max(0, this.#last - from + 1)) },
      (_, index) => this.#ring[(from + index) % this.size] as Noted,
    );
  }

  /** Calls back after every exchange, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the exchanges; numbers go on. */
  clear(): void {
    this.#ring.length = 0;
    this.#first = this.#last + 1;
  }

  #connectionOf(socket: Socket): number {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#connections.set(socket, ++this.#connection);
    return this.#connection;
  }
}
