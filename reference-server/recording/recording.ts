import { METHODS } from 'node:http';
import { allow, type OptionCheck, type OptionChecks } from '../../spec/index.js';
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
import type { BroughtBy } from './brought.js';
import { describer } from './describe.js';
import { type RecordedExchange, type Step, steps } from './exchange.js';
import type { Ledger } from './ledger.js';
import { type Noted, Recorder, type SwitchedOn } from './recorder.js';

/** Which exchanges are meant: those that fit all that is given. */
export interface ExchangeFilter {
  /** Only those with a larger number. */
  readonly after?: number;
  readonly method?: string;
  /** As it was sent, without the query; an asterisk at the end stands for anything. */
  readonly path?: string;
  readonly status?: number;
  readonly step?: Step;
}

export const pathCheck = allow.text('a path such as /api/books or /api/*', /^\/[^?#]*$/);
/** Others are refused before anybody sees them. */
export const methodCheck: OptionCheck = ['a method such as GET', (value) => METHODS.includes(String(value).toUpperCase())];

export const filterChecks: OptionChecks<ExchangeFilter> = {
  after: allow.whole(0, Number.MAX_SAFE_INTEGER),
  method: methodCheck,
  path: pathCheck,
  status: allow.whole(100, 999),
  step: allow.oneOf(...steps),
};

export interface SeenNonce {
  readonly number: number;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** What is recorded of a server, whichever faults and variants it has at the time. */
export class Recording {
  readonly ledger: Ledger;
  readonly recorder: Recorder;
  readonly describe: (noted: Noted) => RecordedExchange;
  /** What a nonce says of itself, whether it still opens anything or not. */
  readonly openNonce: (text: string) => IssuedNonce | undefined;
  readonly #context: PartsContext;
  /** The parts without any change. */
  readonly #plain: Parts;
  readonly #nonceName: string;

  constructor(
    size: number,
    context: PartsContext,
    ledger: Ledger,
    readonly broughtBy: BroughtBy,
  ) {
    const isSpentBy = ({ found, rawHeaders }: Noted, text: string) =>
      found.nonce === true && (context.guard.refusalSpendsNonce || found.credentials === 'right') && rawHeaders.includes(text);
    this.#context = context;
    this.#plain = defaultParts(context);
    this.#nonceName = context.spec.protocol.headers.nonce.toLowerCase();
    this.ledger = ledger;
    this.recorder = new Recorder(size);
    this.openNonce = nonceOpener(context.spec, context.store);
    this.describe = describer({
      ...context,
      ledger,
      openNonce: this.openNonce,
      spenderOf: (nonce, before) => this.recorder.after(0).find((each) => each.number < before && isSpentBy(each, nonce))?.number,
    });
  }

  /** Notes an answer as it is about to be sent. */
  note(request: Incoming, answer: Answer, receivedMs: number, on: SwitchedOn): void {
    this.recorder.note(request, answer, this.#context.clock.now(), receivedMs, on, this.broughtBy(request));
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

  list(filter: ExchangeFilter = {}, limit = Number.POSITIVE_INFINITY): readonly RecordedExchange[] {
    const found: RecordedExchange[] = [];
    for (const noted of this.recorder.after(filter.after ?? 0)) {
      if (found.length >= limit) break;
      if (this.#fits(noted, filter)) found.push(this.describe(noted));
    }
    return found;
  }

  /** The first exchange that fits, as soon as there is one; undefined when it has not come until the signal. */
  next(filter: ExchangeFilter, until: AbortSignal): Promise<RecordedExchange | undefined> {
    let seen = filter.after ?? this.recorder.last;
    return new Promise((resolve) => {
      const look = () => {
        const found = this.recorder.after(seen).find((noted) => this.#fits(noted, filter));
        seen = this.recorder.last;
        if (found === undefined && !until.aborted) return;
        stop();
        until.removeEventListener('abort', look);
        resolve(found === undefined ? undefined : this.describe(found));
      };
      const stop = this.recorder.listen(look);
      until.addEventListener('abort', look);
      look();
    });
  }

  /** The nonces that were given in the exchanges that are kept, while they open. */
  async openNonces(): Promise<readonly SeenNonce[]> {
    const open: SeenNonce[] = [];
    for (const { answer } of this.recorder.after(0)) {
      const text = answer.headers.find(([name]) => name.toLowerCase() === this.#nonceName)?.[1] ?? '';
      const issued = this.openNonce(text);
      if (issued === undefined || !(await this.#plain.nonces.check(text))) continue;
      const { number, issuedAtMs } = issued;
      open.push({ number, issuedAtMs, expiresAtMs: issuedAtMs + this.#context.nonce.lifetimeMs });
    }
    return open;
  }

  clear(): void {
    this.ledger.clear();
    this.recorder.clear();
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

  /** The step is known only of an exchange that is described, and that is looked at last. */
  #fits(noted: Noted, { method, path, status, step }: ExchangeFilter): boolean {
    if (method !== undefined && noted.method !== method.toUpperCase()) return false;
    if (path !== undefined && !isAtPath(noted.target, path)) return false;
    if (status !== undefined && noted.answer.status !== status) return false;
    return step === undefined || this.describe(noted).step === step;
  }
}

const nothing: Answer = { status: 0, headers: [], body: Buffer.alloc(0) };

export function isAtPath(target: string, path: string): boolean {
  const sent = target.split('?', 1)[0] as string;
  return path.endsWith('*') ? sent.startsWith(path.slice(0, -1)) : sent === path;
}
