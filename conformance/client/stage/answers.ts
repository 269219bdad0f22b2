import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Protocol } from '../../../spec/index.js';
import { nonceOf, tokenOf } from '../../expect/index.js';
import { type Answer, headerValues } from '../../wire/index.js';
import type { Received } from '../traffic/index.js';
import type { Reply, Site, Writing } from './state.js';

const isLogin = (received: Received, protocol: Protocol) =>
  nonceOf(received, protocol) !== undefined && headerValues(received, protocol.headers.authorization).length > 0;

/** Whether the answer is the resource, and not the message of the exchange. */
export function isServed(received: Received, answer: Answer, protocol: Protocol): boolean {
  return answer.status >= 200 && answer.status < 300 && !(isLogin(received, protocol) && tokenOf(answer, protocol) !== undefined);
}

/** Whether a request goes to this address. */
export function goesTo({ target }: Received, address: string): boolean {
  const { pathname, search } = new URL(address);
  return target === `${pathname}${search}`;
}

const parts = (target: string) => {
  const [path = '', query = ''] = target.replace(/%../g, (octet) => octet.toUpperCase()).split(/\?(.*)/s);
  return { path, query: query.split('&') };
};

/** Whether a request goes to this path, with everything of its query; what a client adds to a query is its own affair. */
export function goesToAll({ target }: Received, address: string): boolean {
  const [here, there] = [parts(target), parts(address.slice(new URL(address).origin.length))];
  return here.path === there.path && there.query.every((each) => here.query.includes(each) || each === '');
}

/** What the reply of a scenario makes of a request: an answer, another request for the service, or nothing. */
export function replyTo({ to, at, gives }: Reply, received: Received, { places }: Site, protocol: Protocol): Answer | Received | undefined {
  const brings = tokenOf(received, protocol) !== undefined ? 'token' : isLogin(received, protocol) ? 'login' : 'neither';
  if (brings !== to || (at !== undefined && !goesTo(received, places[at]))) return undefined;
  if (gives === 'answer to a stranger') return withTokenLine(received, undefined, protocol);
  const { status, location } = gives;
  const reason = STATUS_CODES[status] ?? '';
  return location === undefined
    ? documentAnswer(status, { [status]: reason }, [], protocol)
    : {
        ...emptyAnswer,
        status,
        reason,
        headers: [
          ['Location', places[location]],
          [protocol.headers.contentLength, '0'],
        ],
      };
}

/** The request with another token, or with none. */
function withTokenLine(received: Received, token: string | undefined, { headers }: Protocol): Received {
  const others = received.headers.filter(([name]) => name.toLowerCase() !== headers.token.toLowerCase());
  return { ...received, headers: token === undefined ? others : [...others, [headers.token, token]] };
}

/** A second origin, which must never hear a secret, challenges as the service does, or serves everybody. */
export function answerElsewhere(does: 'challenges' | undefined, protocol: Protocol): Answer {
  const { challenge, headers } = protocol;
  if (does === undefined) return documentAnswer(200, { '@id': '#elsewhere' }, [], protocol);
  const more: Answer['headers'] = [
    [headers.authenticate, challenge.authenticate],
    [headers.nonce, randomUUID()],
  ];
  return documentAnswer(challenge.status, challenge.body, more, protocol);
}

const emptyAnswer = { httpVersion: '1.1', body: Buffer.alloc(0) };

function documentAnswer(status: number, document: object, more: Answer['headers'], { mediaType, headers }: Protocol): Answer {
  const lines: Answer['headers'] = [[headers.contentType, mediaType], [headers.contentLength, '0'], ...more];
  return withBody({ ...emptyAnswer, status, reason: STATUS_CODES[status] ?? '', headers: lines }, JSON.stringify(document), { headers });
}

/** Another body, with its length in step. */
function withBody(answer: Answer, text: string, { headers }: Pick<Protocol, 'headers'>): Answer {
  const body = Buffer.from(text);
  return { ...withLines(answer, (name, value) => [name, isNamed(name, headers.contentLength) ? String(body.length) : value]), body };
}

function withLines(answer: Answer, change: (name: string, value: string) => readonly [string, string]): Answer {
  return { ...answer, headers: answer.headers.map(([name, value]) => change(name, value)) };
}

const isNamed = (name: string, ...names: string[]) => names.some((each) => each.toLowerCase() === name.toLowerCase());

const page = '<!doctype html><title>Login</title><form action="/login"></form>';

/** What makes the newer token of an answer out of the token of the request. */
const mark = 'c0dec0de';

const onChallenge =
  (change: (answer: Answer, protocol: Protocol) => Answer): Writer =>
  (answer, protocol) =>
    answer.status === protocol.challenge.status ? change(answer, protocol) : answer;

type Writer = (answer: Answer, protocol: Protocol, received: Received) => Answer;

const writers: Readonly<Record<Writing, Writer>> = {
  'names in capitals': (answer) => withLines(answer, (name, value) => [name.toUpperCase(), value]),
  // Of these two headers alone: a blank in a length, say, is nothing that every server may write.
  'blanks around nonce and token': (answer, { headers }) =>
    withLines(answer, (name, value) => [name, isNamed(name, headers.nonce, headers.token) ? `  ${value} \t ` : value]),
  'challenge without body': onChallenge((answer, protocol) => withBody(answer, '', protocol)),
  'challenge as page': onChallenge((answer, protocol) =>
    withLines(withBody(answer, page, protocol), (name, value) => [name, value.startsWith(protocol.mediaType) ? 'text/html' : value]),
  ),
  'unknown members'(answer, protocol) {
    const text = answer.body.toString('utf8');
    return text.startsWith('{') ? withBody(answer, text.replace(/^\{/, '{"next": null, "more": [{"a": {"b": "c"}}], '), protocol) : answer;
  },
  'newer tokens'(answer, protocol, received) {
    const token = tokenOf(received, protocol);
    if (token === undefined || !isServed(received, answer, protocol)) return answer;
    return { ...answer, headers: [...answer.headers, [protocol.headers.token, `${token.replace(mark, '')}${mark}`]] };
  },
};

/** The answer, written as the scenario says. */
export function written(as: Writing | undefined, answer: Answer, received: Received, protocol: Protocol): Answer {
  return as === undefined ? answer : writers[as](answer, protocol, received);
}

/** The request as the service knows it: a newer token that only the scenario gave stands for the one before. */
export function asKnown(received: Received, protocol: Protocol): Received {
  const token = tokenOf(received, protocol);
  return token?.endsWith(mark) ? withTokenLine(received, token.slice(0, -mark.length), protocol) : received;
}
