import { spec } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import type { User } from '../options.js';
import type { Answer, Exchange, HeaderLine, RequestPlan } from '../wire/index.js';

/** Requests and answers of the protocol for tests that need no socket. */
export const { protocol } = spec;
export const ada: User = { id: '1', paraphrase: 'correct horse' };
export const bob: User = { id: '20', paraphrase: 'a:b:c' };

export function answer(status: number, headers: readonly HeaderLine[] = [], body: string | Buffer = '', reason = ''): Answer {
  return { status, reason, httpVersion: '1.1', headers, body: Buffer.from(body) };
}

export const challenge = (nonce: string) => answer(401, [[protocol.headers.nonce, nonce]], JSON.stringify(protocol.challenge.body));
export const refusal = answer(401, [], JSON.stringify(protocol.challenge.body));
export const grant = (token: string) => answer(200, [[protocol.headers.token, token]], JSON.stringify(protocol.exchange.body));
export const resource = answer(200, [], '{"@id":"http://127.0.0.1/api/things"}');

export const nonceLine = (nonce: string): HeaderLine => [protocol.headers.nonce, nonce];
export const tokenLine = (token: string): HeaderLine => [protocol.headers.token, token];
export const credentialsLine = ({ id, paraphrase }: User): HeaderLine => [
  protocol.headers.authorization,
  basic(protocol.challenge.scheme, id, paraphrase),
];

/** A plain read of the first collection with these lines. */
export function read(...headers: HeaderLine[]): RequestPlan {
  return { method: 'GET', target: '/api/things', headers };
}

export function exchanged(request: RequestPlan, came?: Answer, sentAtMs = 0, durationMs = 1): Exchange {
  if (came !== undefined) return { request, answer: came, sentAtMs, durationMs };
  return { request, problem: { code: 'closed', message: 'The target reset the connection.' }, sentAtMs, durationMs };
}
