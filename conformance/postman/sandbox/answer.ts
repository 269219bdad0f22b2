import type { Protocol } from '../../../spec/index.js';
import { isErrorBody, isOneMember, parseJson, tokenOf } from '../../expect/index.js';
import { type Answer, type HeaderLine, headerValues } from '../../wire/index.js';
import type { Pm } from './pm.js';
import { untested } from './verdict.js';

/** Of HTTP, not of this protocol (RFC 6585, section 4). */
const tooManyRequests = 429;

/** The answer in the kit's own terms, and what can be said of it without knowing what was asked. */
export function received(pm: Pm, protocol: Protocol) {
  const answer = answerOf(pm, protocol);
  const { value, problem } = parseJson(answer.body);
  const status = () => `status ${answer.status}`;
  const success = () => Math.floor(answer.status / 100) === 2;
  const text = () => answer.body.toString('utf8');
  const slowedDown = () => answer.status === tooManyRequests;
  return {
    answer,
    value,
    problem,
    status,
    success,
    text,
    slowedDown,
    token: tokenOf(answer, protocol),
    asks: () => headerValues(answer, protocol.headers.authenticate).length > 0,
    patience: () => {
      if (slowedDown()) untested(`the target asked to slow down, ${status()}`);
    },
    served: () => success() && answer.body.length > 0 && !isErrorBody(value, protocol) && !isOneMember(value, protocol.exchange.body),
    /** What a stranger must not get, in words; empty when it was refused. Refused is what gives neither token nor resource, whatever its status. */
    granted: (resource: string) => {
      if (tokenOf(answer, protocol) !== undefined) return `${status()} and a token`;
      if (success() && !isErrorBody(value, protocol)) return `${status()} and no refusal`;
      // A shorter text may be that of an error as well.
      return resource.length >= 32 && text() === resource ? `${status()} and the resource` : '';
    },
  };
}

export type Received = ReturnType<typeof received>;

/** Without the lines that only repeat a nonce or token of the request: those were not issued by this answer. */
function answerOf({ request, response }: Pm, { headers }: Protocol): Answer {
  const carriers = [headers.nonce, headers.token].map((name) => name.toLowerCase());
  const lines = (response?.headers.all() ?? []).map(({ key, value }): HeaderLine => [key, String(value).trim()]);
  return {
    status: response?.code ?? 0,
    reason: '',
    httpVersion: '',
    headers: lines.filter(([name, value]) => !carriers.includes(name.toLowerCase()) || value !== request.headers.get(name)),
    body: Buffer.from(response?.stream ?? []),
  };
}
