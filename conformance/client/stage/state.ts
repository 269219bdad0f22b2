import { spec } from '../../../spec/index.js';
import { nonceOf, tokenOf } from '../../expect/index.js';
import { type Answer, headerValues } from '../../wire/index.js';
import type { Received } from '../traffic/index.js';

/** Where a client can be sent. */
export type Place = 'first' | 'second' | 'vocabulary' | 'missing' | 'elsewhere';

/** The addresses of one scenario. */
export interface Site {
  /** The base URL. */
  readonly url: string;
  readonly origin: string;
  readonly places: Readonly<Record<Place, string>>;
}

/** The state of the service in a scenario, as data. Without anything it is the reference server. */
export interface ServiceState {
  /** Ids of variants of the reference server. */
  readonly variants?: readonly string[];
  /** The collections have the names that variants know, not random ones. */
  readonly usualCollections?: true;
  /** The paraphrase of the user, where it is not a random word. */
  readonly paraphrase?: string;
  /** The client is told another paraphrase than the service knows. */
  readonly wrongParaphrase?: true;
  /** The tokens end when so many requests were served. */
  readonly expireAfterServed?: readonly number[];
  /** Answers in place of the service, or has it see another request. */
  readonly intercept?: (received: Received, site: Site) => Answer | Received | undefined;
  /** Writes an answer in another way. */
  readonly change?: (answer: Answer, received: Received) => Answer;
  /** What the second origin does. */
  readonly elsewhere?: 'serves' | 'challenges';
  /** After so many requests no more are answered. */
  readonly requestLimit?: number;
}

const { protocol } = spec;
const { headers, challenge, mediaType } = protocol;

export const withToken = (received: Received) => tokenOf(received, protocol) !== undefined;
export const withLogin = (received: Received) =>
  nonceOf(received, protocol) !== undefined && headerValues(received, headers.authorization).length > 0;

/** Whether the answer is the resource, and not the message of the exchange. */
export function servedIn(received: Received, answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300 && !(withLogin(received) && tokenOf(answer, protocol) !== undefined);
}

/** The same request without its token. */
export function asStranger(received: Received): Received {
  return { ...received, headers: received.headers.filter(([name]) => name.toLowerCase() !== headers.token.toLowerCase()) };
}

export function isChallenge({ status }: Answer): boolean {
  return status === challenge.status;
}

/** Whether a request goes to this address. */
export function goesTo({ target }: Received, address: string): boolean {
  const { pathname, search } = new URL(address);
  return target === `${pathname}${search}`;
}

export function redirectTo(status: 302 | 307, location: string): Answer {
  return plainAnswer(status, 'Redirect', [['Location', location]]);
}

export function errorAnswer(status: number, reason: string): Answer {
  const { body, headers: lines, ...rest } = plainAnswer(status, reason, [['Content-Type', mediaType]]);
  return withBody({ ...rest, body, headers: lines }, JSON.stringify({ [status]: reason }));
}

function plainAnswer(status: number, reason: string, more: Answer['headers']): Answer {
  return { status, reason, httpVersion: '1.1', headers: [...more, [headers.contentLength, '0']], body: Buffer.alloc(0) };
}

/** Another body, with its length in step. */
export function withBody(answer: Answer, text: string): Answer {
  const body = Buffer.from(text);
  const length = headers.contentLength.toLowerCase();
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name.toLowerCase() === length ? String(body.length) : value]),
    body,
  };
}
