import type { Protocol } from '../../../spec/index.js';
import { isErrorBody, isLimited, isOneMember, nonceOf, parseJson, tokenOf } from '../../expect/index.js';
import { type Answer, type HeaderLine, headerValues } from '../../wire/index.js';
import type { Pm } from './pm.js';

/** Of HTTP, not of this protocol (RFC 9110, section 15.5). */
const forbidden = 403;

/**
 * The answer in the kit's own terms, and what it grants: the one place that says what is a challenge, a token, a resource or a refusal.
 * `resource` is what the collection looked like when it was served.
 */
export function received(pm: Pm, protocol: Protocol, resource: string) {
  const answer = answerOf(pm, protocol);
  const { value, problem } = parseJson(answer.body);
  const status = `status ${answer.status}`;
  const isSuccess = Math.floor(answer.status / 100) === 2;
  const token = tokenOf(answer, protocol);
  const nonce = nonceOf(answer, protocol);
  const asks = headerValues(answer, protocol.headers.authenticate).length > 0;
  const text = answer.body.toString('utf8');
  const isError = isErrorBody(value, protocol);
  const hasChallengeStatus = answer.status === protocol.challenge.status;
  // A shorter text may be that of an error as well.
  const isResource = resource.length >= 32 && text === resource;
  const isServing = isSuccess && !isError;
  // Refused is what gives neither token nor resource, whatever its status.
  const given = token !== undefined ? ('token' as const) : isServing || isResource ? ('resource' as const) : undefined;
  const words = given === 'token' ? 'a token' : isServing ? 'no refusal' : 'the resource';
  return {
    answer,
    value,
    problem,
    status,
    isSuccess,
    token,
    nonce,
    text,
    given,
    granted: given === undefined ? '' : `${status} and ${words}`,
    slowedDown: isLimited(answer),
    served: isSuccess && answer.body.length > 0 && !isError && !isOneMember(value, protocol.exchange.body),
    // A nonce alone makes no challenge: a server may send one with every answer.
    isChallenge: hasChallengeStatus || asks || (nonce !== undefined && given === undefined),
    isExchange: token !== undefined || answer.status === protocol.exchange.status,
    /** The token was not taken, in contrast to: there is nothing at this address. */
    isRefusal: hasChallengeStatus || answer.status === forbidden || (!isSuccess && asks),
  };
}

export type Received = ReturnType<typeof received>;

/** What is known of the answer to a request, kept for later ones in a variable of the collection. `moved`: the clock went as far as it was told to. */
export function knownOf({ answer, nonce, token, served, given, granted, slowedDown }: Received, moved: boolean) {
  // Postman would fill in a variable that a target names, so that what looks like one is not sent back.
  const usable = (value: string | undefined) => (value === undefined || value.includes('{{') ? '' : value);
  return { status: answer.status, nonce: usable(nonce), token: usable(token), served, given, granted, slowedDown, moved };
}

export type Known = ReturnType<typeof knownOf>;

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
