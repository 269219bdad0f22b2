import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { allow, type OptionCheck, type OptionChecks } from '../../spec/index.js';
import type { ExchangeFilter, RecordedExchange, ServerState, SwitchedOn } from '../contract.js';
import {
  type Answer,
  defaultParts,
  type Found,
  type Guard,
  type Incoming,
  nonceOpener,
  type Parts,
  type PartsContext,
} from '../parts/index.js';
import { after, type IssuedNonce, type MaybePromise } from '../stores/index.js';
import { describer, type Noted } from './describe.js';
import type { BroughtBy, Ledger } from './ledger.js';

export const pathCheck = allow.text('a path such as /api/books or /api/*', /^\/[^?#]*$/);
/** Others are refused before anybody sees them. */
export const methodCheck: OptionCheck = ['a method such as GET', (value) => METHODS.includes(String(value).toUpperCase())];

export const filterChecks: OptionChecks<ExchangeFilter> = {
  after: allow.whole(0, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  status: allow.whole(100, 999),
  step: allow.oneOf('A', 'B', 'C', 'refused', 'other'),
};

/** A body beyond this is not held on to. */
const keptOctets = 65_536;

/** What those who watch are told of: an exchange, or something that no exchange tells of. */
export type Change = 'exchange' | 'change' | 'reset';

/** What is recorded of a server, whichever faults and variants it has at the time: the last exchanges, in a ring. */
export class Recording {
  readonly describe: (noted: Noted) => RecordedExchange;
  /** What a nonce says of itself, whether it still opens anything or not. */
  readonly openNonce: (text: string) => IssuedNonce | undefined;
  readonly #plain: Parts;
  readonly #ring: Noted[] = [];
  readonly #connections = new WeakMap<Socket, number>();
  readonly #listeners = new Set<(what: Change) => void>();
  #connection = 0;
  #first = 1;
  #last = 0;

  constructor(
    private readonly size: number,
    private readonly context: PartsContext,
    readonly ledger: Ledger,
    private readonly broughtBy: BroughtBy,
  ) {
    const isSpentBy = ({ found, rawHeaders }: Noted, text: string) =>
      found.nonce === true && (context.guard.refusalSpendsNonce || found.credentials === 'right') && rawHeaders.includes(text);
    this.#plain = defaultParts(context);
    this.openNonce = nonceOpener(context.spec, context.store);
    const spenderOf = (nonce: string, before: number) =>
      this.after(0).find((each) => each.number < before && isSpentBy(each, nonce))?.number;
    this.describe = describer(context, ledger, this.openNonce, spenderOf);
  }

  get last(): number {
    return this.#last;
  }

  /** The number of the oldest that is kept; beyond the last one when none is. */
  get first(): number {
    return Math.max(this.#first, this.#last - this.size + 1);
  }

  /** Notes an answer as it is about to be sent. */
  note(request: Incoming, answer: Answer, receivedMs: number, on: SwitchedOn): void {
    const { method, target, rawHeaders, raw, user, found } = request;
    const wallMs = Date.now();
    const number = ++this.#last;
    this.#ring[number % this.size] = {
      number,
      atMs: this.context.clock.now(),
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
      brought: this.broughtBy(request),
    };
    this.tell('exchange');
  }

  #connectionOf(socket: Socket): number {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#connections.set(socket, ++this.#connection);
    return this.#connection;
  }

  /** The parts of a server, which tell the ledger of tokens. Changed ones also let the guard of unchanged ones say what it would find. */
  witnessed(parts: Parts, isChanged: boolean): Parts {
    const { guard, tokens } = parts;
    const { lifetimeMs } = this.#plain.tokens;
    const decide: Guard['decide'] = (request, all) =>
      after(this.#rehearse(request), (found) =>
        after(guard.decide(request, all), (answer) => {
          request.found = found;
          return answer;
        }),
      );
    return {
      ...parts,
      guard: isChanged ? { ...guard, decide } : guard,
      tokens: {
        ...tokens,
        keep: (token, record) => {
          this.ledger.keep(token, { ...record, expiresAtMs: record.issuedAtMs + lifetimeMs });
          return tokens.keep(token, record);
        },
      },
    };
  }

  /** What the guard of unchanged parts finds, without doing anything. The life of a token is the one that it should have. */
  #rehearse(request: Incoming): MaybePromise<Found> {
    const { guard, nonces, tokens, answers } = this.#plain;
    const rehearsed: Incoming = { ...request, found: {} };
    const parts: Parts = {
      ...this.#plain,
      nonces: { ...nonces, issue: () => '', spend: nonces.check },
      tokens: { ...tokens, issue: () => '', find: (token) => this.ledger.token(token)?.record ?? tokens.find(token) },
      answers: { ...answers, challenge: () => nothing, exchange: () => nothing, preflight: () => nothing },
    };
    return after(guard.decide(rehearsed, parts), () => rehearsed.found);
  }

  /** Those with a larger number, in the order in which they came. */
  after(number: number, limit = this.size): readonly Noted[] {
    const from = Math.max(number + 1, this.first);
    const length = Math.min(limit, Math.max(0, this.#last - from + 1));
    return Array.from({ length }, (_, index) => this.#ring[(from + index) % this.size] as Noted);
  }

  list(filter: ExchangeFilter = {}, limit = Number.POSITIVE_INFINITY): readonly RecordedExchange[] {
    const fitting = this.after(filter.after ?? 0).filter((noted) => this.#fits(noted, filter));
    return fitting.slice(0, limit).map((noted) => this.describe(noted));
  }

  /** The step is known only of an exchange that is described, and that is looked at last. */
  #fits(noted: Noted, { method, path, status, step }: ExchangeFilter): boolean {
    if (method !== undefined && noted.method !== method.toUpperCase()) return false;
    if (path !== undefined && !isAtPath(noted.target, path)) return false;
    if (status !== undefined && noted.answer.status !== status) return false;
    return step === undefined || this.describe(noted).step === step;
  }

  /** Calls back after every change, until the returned function is called. */
  listen(listener: (what: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(what: Change): void {
    for (const listener of this.#listeners) listener(what);
  }

  /** The first exchange that fits, as soon as there is one; undefined when it has not come until the signal. */
  next(filter: ExchangeFilter, until: AbortSignal): Promise<RecordedExchange | undefined> {
    let seen = filter.after ?? this.last;
    return new Promise((resolve) => {
      const look = () => {
        const found = this.after(seen).find((noted) => this.#fits(noted, filter));
        seen = this.last;
        if (found === undefined && !until.aborted) return;
        stop();
        until.removeEventListener('abort', look);
        resolve(found && this.describe(found));
      };
      const stop = this.listen(look);
      until.addEventListener('abort', look);
      look();
    });
  }

  /** The nonces that were given in the exchanges that are kept, while they open. */
  async openNonces(): Promise<ServerState['nonces']> {
    const name = this.context.spec.protocol.headers.nonce.toLowerCase();
    const open: ServerState['nonces'][number][] = [];
    for (const { answer } of this.after(0)) {
      const text = answer.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
      const issued = this.openNonce(text);
      if (issued === undefined || !(await this.#plain.nonces.check(text))) continue;
      const { number, issuedAtMs } = issued;
      open.push({ number, issuedAtMs, expiresAtMs: issuedAtMs + this.context.nonce.lifetimeMs });
    }
    return open;
  }

  /** Forgets all; the numbers of exchanges go on. */
  clear(): void {
    this.ledger.clear();
    this.#ring.length = 0;
    this.#first = this.#last + 1;
  }
}

const nothing: Answer = { status: 0, headers: [], body: Buffer.alloc(0) };

export function isAtPath(target: string, path: string): boolean {
  const sent = target.split('?', 1)[0] as string;
  return path.endsWith('*') ? sent.startsWith(path.slice(0, -1)) : sent === path;
}
