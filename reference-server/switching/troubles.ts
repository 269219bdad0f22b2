import { validateHeaderName, validateHeaderValue } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { allow, type OptionChecks, OptionError } from '../../spec/index.js';
import { NotThere } from '../errors.js';
import { type Answer, type Base, type Incoming, octetsOf, type Parts, withBody, withHeader, withoutHeader } from '../parts/index.js';
import type { MetTrouble } from '../recording/index.js';
import type { Cast } from '../server.js';
import { checkUse, type Matchable, type Use, useChecks } from './use.js';

/** What goes wrong on demand, and for which requests. */
export interface Trouble extends Use, Omit<MetTrouble, 'number' | 'sentence'> {
  /** Of the answer with that status. They replace the usual ones of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, or anything else as JSON. Default: an error keyed by the status. */
  readonly body?: unknown;
}

/** A trouble that is on, or that holds requests back. */
export interface TroubleState extends Omit<Trouble, 'next'>, MetTrouble {
  /** For how many requests more, where it was asked for for some. */
  readonly left?: number;
  /** How many requests it holds back now. */
  readonly held: number;
}

/** What a test may do with the troubles of a server. */
export type TroubleSwitches = Pick<Troubles, 'on' | 'use' | 'off' | 'clear'>;

const words = { hang: 'never answered', reset: 'connection reset', 'cut-off': 'body cut off' };
/** Answers that end with their headers (RFC 9110, sections 15.3.5 and 15.4.5). */
const noBody: readonly number[] = [204, 304];
/** The longest that a timer waits. */
const longestMs = 2 ** 31 - 1;

export const troubleChecks: OptionChecks<Trouble> = {
  delayMs: allow.whole(0, longestMs),
  connection: allow.oneOf(...Object.keys(words)),
  status: allow.whole(200, 599),
  headers: [
    'an object of header names and values, each a text, such as { "Retry-After": "5" },',
    (value) => typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string'),
  ],
  body: allow.anything,
  ...useChecks,
};

interface On {
  readonly trouble: Trouble;
  readonly met: MetTrouble;
  /** Lets go of what is held back. */
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
    private readonly matchable: Matchable,
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
    checkTrouble(trouble, this.matchable);
    const { delayMs, connection, status, next = Number.POSITIVE_INFINITY } = trouble;
    const what = Object.fromEntries(Object.entries({ delayMs, connection, status }).filter(([, value]) => value !== undefined));
    const met = { number: ++this.#last, sentence: sentenceOf(trouble), ...what };
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

  /** Ends all of them. */
  clear(): void {
    for (const number of [...this.#on.keys()]) this.off(number);
  }

  /** Whether a request is answered by the first trouble for it, and not by the server. */
  answers(isMeant: (use: Use) => boolean): boolean {
    return this.#firstFor(isMeant)?.trouble.status !== undefined;
  }

  #firstFor(isMeant: (use: Use) => boolean): On | undefined {
    return [...this.#on.values()].find(({ left, trouble }) => left > 0 && isMeant(trouble));
  }

  /** What answers a request that meets the first trouble for it, or else the cast as it is. */
  meet(cast: Cast, isMeant: (use: Use) => boolean): Cast {
    const on = this.#firstFor(isMeant);
    if (on === undefined) return cast;
    on.left -= 1;
    if (on.left === 0) this.#on.delete(on.met.number);
    this.changed();
    const { delayMs, connection } = on.trouble;
    return {
      ...cast,
      on: { ...cast.on, trouble: on.met },
      parts: troubled(cast.parts, on.trouble),
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

function sentenceOf({ delayMs, connection, status }: Trouble): string {
  const late = delayMs !== undefined && `late by ${delayMs} ms`;
  return [late, status && `answered with ${status}`, connection && words[connection]].filter(Boolean).join(', ');
}

/** The parts that answer in trouble. What only holds the answer back, or loses it, leaves them as they are. */
function troubled(parts: Parts, trouble: Trouble): Parts {
  const { guard, wire } = parts;
  const { status, connection } = trouble;
  return {
    ...parts,
    guard: status === undefined ? guard : { ...guard, decide: ({ base }) => answerFor(trouble, status, base, parts) },
    wire: connection === 'cut-off' ? { ...wire, send: sendHalf } : wire,
  };
}

function sendHalf(answer: Answer, { raw: { req } }: Incoming): void {
  req.socket.end(octetsOf({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) }));
}

function answerFor({ headers = {}, body }: Trouble, status: number, base: Base, parts: Parts): Answer {
  const plain = parts.answers.error(status, base, parts, [], 'Trouble on demand');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { contentLength } = base.protocol.headers;
  if (noBody.includes(status)) return withHeaders(headers, withoutHeader({ ...plain, body: Buffer.alloc(0) }, contentLength));
  const filled = text === undefined ? plain : withBody(plain, text, contentLength);
  return withHeaders(headers, filled);
}

function withHeaders(headers: Readonly<Record<string, string>>, to: Answer): Answer {
  return Object.entries(headers).reduce((answer, [name, value]) => withHeader(withoutHeader(answer, name), name, value), to);
}

function checkTrouble(trouble: Trouble, matchable: Matchable): void {
  checkUse(trouble, matchable, troubleChecks);
  const { delayMs, connection, status, headers, body } = trouble;
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!isValid(() => validateHeaderName(name)))
      throw new OptionError(
        'headers',
        `${JSON.stringify(name)} is no name of a header; it has letters, digits and hyphens, such as Retry-After`,
      );
    if (!isValid(() => validateHeaderValue(name, value)))
      throw new OptionError('headers', `the value of ${name} has a character that no header can have, such as a line break`);
  }
  if (delayMs === undefined && connection === undefined && status === undefined)
    throw new OptionError('trouble', 'nothing goes wrong so; delayMs, connection or status is needed');
  if (status === undefined && (headers !== undefined || body !== undefined))
    throw new OptionError('status', 'it is needed beside headers and body; they are those of the answer with that status');
  if (status !== undefined && noBody.includes(status) && (body !== undefined || connection === 'cut-off'))
    throw new OptionError('body', `an answer with ${status} has none, so nothing can be sent or cut off`);
  if (status !== undefined && (connection === 'hang' || connection === 'reset'))
    throw new OptionError('status', `${status} is not allowed beside the connection ${connection}; no answer is sent then`);
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
