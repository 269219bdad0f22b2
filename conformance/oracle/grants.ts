import type { Protocol } from '../../spec/index.js';
import { isErrorBody, readBody, tokenOf } from '../expect/index.js';
import { type Answer, type Exchange, headerValues, statusWords } from '../wire/index.js';

/** What an answer gave: a token, something served, or nothing. Judged without regard to what the source leaves open. */
type Grant = 'token' | 'served' | 'nothing';

/** A 2xx that carries nothing but an error keyed by its status is a refusal in other clothes, not a resource. */
export function grantOf(answer: Answer, protocol: Protocol): Grant {
  if (tokenOf(answer, protocol) !== undefined) return 'token';
  if (answer.discloses === true || isOpened(answer)) return 'served';
  if (!isSuccess(answer)) return 'nothing';
  return isStatusKeyedError(answer, protocol) ? 'nothing' : 'served';
}

/** The same of an answer that another service under the same address may have given: an empty page of its own is no grant. */
export function grantElsewhere(answer: Answer, protocol: Protocol): Grant {
  const grant = grantOf(answer, protocol);
  return grant === 'served' && answer.discloses !== true && !holdsDocument(answer) ? 'nothing' : grant;
}

/** Something of a JSON-LD document, rather than a list of methods or a page. */
export function holdsDocument({ body }: Answer): boolean {
  return /"@(id|type|context|graph)"\s*:/.test(body.subarray(0, 100_000).toString('latin1'));
}

/** A WebSocket that stays open, or brings a message before it is closed. Behind a change to HTTP/2 the answer is still to come. */
function isOpened(answer: Answer): boolean {
  if (answer.status !== 101 || !headerValues(answer, 'upgrade').some((name) => name.toLowerCase() === 'websocket')) return false;
  const opcode = (answer.body[0] ?? 0) & 0x0f;
  return answer.staysOpen === true || opcode === textFrame || opcode === binaryFrame;
}
const textFrame = 1;
const binaryFrame = 2;

export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** Whether a request got more than a refusal. */
export function isGranted({ answer }: Exchange, protocol: Protocol): boolean {
  return answer !== undefined && grantOf(answer, protocol) !== 'nothing';
}

function isStatusKeyedError(answer: Answer, protocol: Protocol): boolean {
  if (answer.body.length === 0 || answer.body.length > 10_000) return false;
  return isErrorBody(readBody(answer).value, protocol);
}

/** What came, in a few words. */
export function inWords(exchange: Exchange, protocol: Protocol): string {
  const { answer, problem } = exchange;
  if (answer === undefined) return `no answer: ${problem?.message ?? 'nothing came'}`;
  const grant = grantOf(answer, protocol);
  const given =
    grant === 'token'
      ? ' with a token'
      : answer.discloses === true
        ? ' with the resource in its body'
        : grant === 'served' && answer.body.length > 0
          ? ` with a body of ${answer.wholeOctets ?? answer.body.length} octets`
          : answer.staysOpen === true
            ? ', and the connection stays open'
            : '';
  return `${statusWords(answer)}${given}`;
}
