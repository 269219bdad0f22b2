import { setTimeout } from 'node:timers/promises';
import { allow, type OptionChecks, OptionError, present } from '../../spec/index.js';
import type { MetTrouble, Trouble, TroubleState, Use } from '../contract.js';
import { NotThere } from '../errors.js';
import { type Answer, type Base, type Incoming, octetsOf, type Parts, withBody, withHeader, withoutHeader } from '../parts/index.js';
import type { Cast } from '../server.js';
import { type CheckUse, useChecks } from './use.js';

/** What a test may do with the troubles of a server. */
export type TroubleSwitches = Pick<Troubles, 'on' | 'use' | 'off' | 'clear'>;

const words = { hang: 'never answered', reset: 'connection reset', 'cut-off': 'body cut off' };
/** Answers that end with their headers (RFC 9110, sections 15.3.5 and 15.4.5). */
const noBody: readonly (number | undefined)[] = [204, 304];
const longestMs = 2 ** 31 - 1;

export const troubleChecks: OptionChecks<Trouble> = {
  delayMs: allow.whole(0, longestMs),
  connection: allow.oneOf(...Object.keys(words)),
  status: allow.whole(200, 599),
  headers: [
    'an object of header names and values, each a text, such as { "Retry-After": "5" },',
    (value) => typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string'),
  ],
  body: allow.anything(),
  ...useChecks,
};

interface On {
  readonly trouble: Trouble;
  readonly met: MetTrouble;
  readonly release: AbortController;
  left: number;
  held: number;
}

/** The troubles of a server, in the order in which they were asked for. */
export class Troubles {
  readonly #on = new Map<number, On>();
  #last = 0;

  constructor(
    private readonly changed: (what?: 'trouble') => void,
    private readonly check: CheckUse,
  ) {}

  get on(): readonly TroubleState[] {
    return [...this.#on.values()].map(({ trouble: { next, ...rest }, met, left, held }) => ({
      ...met,
      ...rest,
      ...(next === undefined ? {} : { left }),
      held,
    }));
  }

  /** Asks for trouble, for all requests or for those that are meant. */
  use(trouble: Trouble): TroubleState {
    this.check(trouble, troubleChecks);
    refuseImpossible(trouble);
    const { delayMs, connection, status, next = Number.POSITIVE_INFINITY } = trouble;
    const late = delayMs !== undefined && `late by ${delayMs} ms`;
    const sentence = [late, status && `answered with ${status}`, connection && words[connection]].filter(Boolean).join(', ');
    const met = { number: ++this.#last, sentence, ...present({ delayMs, connection, status }) };
    this.#on.set(met.number, { trouble, met, release: new AbortController(), left: next, held: 0 });
    this.changed('trouble');
    return this.on.at(-1) as TroubleState;
  }

  /** Ends a trouble. What it holds back is answered now. */
  off(number: number): void {
    const on = this.#on.get(number);
    if (on === undefined)
      throw new NotThere('troubles', `there is no trouble ${number}; there are ${[...this.#on.keys()].join(', ') || 'none'}`);
    this.#on.delete(number);
    on.release.abort();
    this.changed();
  }

  clear(): void {
    for (const number of [...this.#on.keys()]) this.off(number);
  }

  firstFor(isMeant: (use: Use) => boolean): On | undefined {
    return [...this.#on.values()].find(({ left, trouble }) => left > 0 && isMeant(trouble));
  }

  /** What answers a request that meets a trouble. What only holds the answer back, or loses it, leaves the parts as they are. */
  meet(on: On, cast: Cast): Cast {
    on.left -= 1;
    if (on.left === 0) this.#on.delete(on.met.number);
    this.changed();
    const { delayMs, connection, status } = on.trouble;
    const { guard, wire } = cast.parts;
    return {
      ...cast,
      on: { ...cast.on, trouble: on.met },
      parts: {
        ...cast.parts,
        guard: status === undefined ? guard : { ...guard, decide: ({ base }) => answerFor(on.trouble, status, base, cast.parts) },
        wire: connection === 'cut-off' ? { ...wire, send: sendHalf } : wire,
      },
      trouble: {
        before: async (raw) => delayMs !== undefined && this.#hold(on, raw, delayMs),
        after: async (raw) => {
          if (connection === 'hang') await this.#hold(on, raw, longestMs);
          if (connection === 'reset') raw.req.socket.resetAndDestroy();
        },
      },
    };
  }

  async #hold(on: On, { req, res }: Incoming['raw'], ms: number): Promise<void> {
    const hungUp = new AbortController();
    res.once('close', () => hungUp.abort());
    req.socket.setTimeout(0); // an idle connection would be closed
    on.held += 1;
    this.#on.set(on.met.number, on); // also after its last request, so that it can be switched off
    this.changed();
    const signal = AbortSignal.any([on.release.signal, hungUp.signal]);
    await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {});
    on.held -= 1;
    if (on.left === 0 && on.held === 0) this.#on.delete(on.met.number);
    this.changed();
  }
}

const sendHalf = (answer: Answer, { raw: { req } }: Incoming) =>
  void req.socket.end(octetsOf({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }));

function answerFor({ headers = {}, body }: Trouble, status: number, base: Base, parts: Parts): Answer {
  const plain = parts.answers.error(status, base, parts, [], 'Trouble on demand');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { contentLength } = base.protocol.headers;
  const filled = text === undefined ? plain : withBody(plain, text, contentLength);
  const whole = noBody.includes(status) ? withoutHeader({ ...plain, body: Buffer.alloc(0) }, contentLength) : filled;
  return Object.entries(headers).reduce((answer, [name, value]) => withHeader(withoutHeader(answer, name), name, value), whole);
}

/** Throws for what HTTP cannot send, and for what contradicts itself. */
function refuseImpossible({ delayMs, connection, status, headers, body }: Trouble): void {
  const refuseWhere = (isWrong: boolean, option: string, problem: string) => {
    if (isWrong) throw new OptionError(option, problem);
  };
  for (const [name, value] of Object.entries(headers ?? {})) {
    const allowed = 'it has letters, digits and hyphens, such as Retry-After';
    refuseWhere(!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name), 'headers', `${JSON.stringify(name)} is no name of a header; ${allowed}`);
    const problem = `the value of ${name} has a character that no header can have, such as a line break`;
    refuseWhere(/[^\t\x20-\x7e\x80-\xff]/.test(value), 'headers', problem);
  }
  const isNothing = delayMs === undefined && connection === undefined && status === undefined;
  refuseWhere(isNothing, 'trouble', 'nothing goes wrong so; delayMs, connection or status is needed');
  const isOfNone = status === undefined && (headers !== undefined || body !== undefined);
  refuseWhere(isOfNone, 'status', 'it is needed beside headers and body; they are those of the answer with that status');
  const isEmpty = noBody.includes(status) && (body !== undefined || connection === 'cut-off');
  refuseWhere(isEmpty, 'body', `an answer with ${status} has none, so nothing can be sent or cut off`);
  const isLost = status !== undefined && (connection === 'hang' || connection === 'reset');
  refuseWhere(isLost, 'status', `${status} is not allowed beside the connection ${connection}; no answer is sent then`);
}
