import type { Protocol } from '../../../spec/index.js';
import {
  allowOrigin,
  authenticate,
  contentType,
  date,
  dateFormat,
  isKeyedByStatus,
  isOneMember,
  type Judgement,
  keyOfStatus,
  linkFrom,
  nonce,
  nonceShape,
  octetCount,
  type Resolve,
  shownOctets,
  token,
  tokenShape,
} from '../../expect/index.js';
import { headerValues } from '../../wire/index.js';
import type { PlannedCheck, Sandboxed } from '../plan/index.js';
import type { Known, Received } from './answer.js';
import type { ClockReading, Given, Pm } from './pm.js';

/** Of HTTP, not of this protocol (RFC 9110, section 15.5). */
const firstError = 400;

/** Ends a check as failed. */
export function fail(expected: string, actual: string, given?: Given): never {
  throw { outcome: 'fail', expected, actual, ...(given === undefined ? {} : { given }) };
}

/** Ends a check as untested, which Postman shows as skipped. */
export function untested(reason: string): never {
  throw { outcome: 'untested', reason };
}

function judged(judgement: Judgement): void {
  if (!judgement.ok) fail(judgement.expected, judgement.actual);
}

/** What was granted although it had to be refused is told as a failure, whatever became of the accepted control. */
export function failIfGranted(seen: Known | undefined): void {
  if (seen?.given !== undefined) fail('a refusal, no token and no resource', seen.granted, seen.given);
}

/** What a judge may look at: the answer, the request and the check, what is known of earlier requests, and the clock. */
export interface Judging {
  readonly pm: Pm;
  readonly protocol: Protocol;
  readonly got: Received;
  readonly row: Sandboxed;
  readonly check: PlannedCheck;
  readonly known: (id: string | undefined) => Known | undefined;
  readonly clock: () => ClockReading;
  readonly resolve: Resolve;
}

/** Judges the answer for one check, by its requirement; a check of a refusal is judged alike whatever its requirement. */
export function judge(it: Judging): void {
  const { got, check, known } = it;
  if (check.refusal !== undefined) {
    const seen = known(check.refusal);
    // When a token that nobody used outlives its end, nothing shows whether use prolongs a life.
    if (known(check.unless)?.given !== undefined) untested('tokens do not expire at all, see expiry.refused-after');
    failIfGranted(seen);
    if (seen === undefined) untested('the request to be refused was not sent, or got no answer');
    if (seen.slowedDown) untested(`the target asked to slow down, status ${seen.status}`);
    const accepted = it.row.step === 'served' ? got.served : got.token !== undefined;
    if (!accepted) untested(`the accepted control was not accepted but got ${got.status}`);
    return;
  }
  const judgeOne = check.requirement.startsWith('protection.') ? challengedToo : judges[check.requirement];
  if (judgeOne === undefined) throw new Error(`nothing says how ${check.requirement} is judged`);
  judgeOne(it);
}

const judges: Readonly<Record<string, (it: Judging) => void>> = {
  'challenge.status': (it) => hasStatus(it, it.protocol.challenge.status),
  'challenge.www-authenticate': (it) => onStep(it, authenticate),
  'challenge.nonce': (it) => onStep(it, nonce),
  'challenge.nonce-shape': (it) => whereThere(it, nonce, 'nonce, see challenge.nonce', nonceShape),
  'challenge.nonce-newly-issued': (it) => {
    const before = it.known(it.check.compared)?.nonce;
    if (!before) untested('the first challenge gave no nonce');
    isOfItsStep(it);
    if (it.got.nonce === undefined) fail('another nonce', 'none');
    if (it.got.nonce === before) fail('another nonce', 'the same one again');
  },
  'challenge.body': (it) => hasBody(it, it.protocol.challenge.body),

  'exchange.status': (it) => hasStatus(it, it.protocol.exchange.status),
  'exchange.token': (it) => onStep(it, token),
  'exchange.token-shape': (it) => whereThere(it, token, 'token, see exchange.token', tokenShape),
  'exchange.token-unique': ({ got, known, check }) => {
    if (got.token === undefined) untested(`the second exchange gave no token, ${got.status}`);
    if (got.token === known(check.compared)?.token) fail('another token', 'the same one again');
  },
  'exchange.body': (it) => hasBody(it, it.protocol.exchange.body),

  'token.sufficient': isServed,
  'token.reusable': isServed,
  'token.independent': isServed,
  'token.any-endpoint': (it) => {
    isPatient(it);
    if (it.got.isRefusal) fail('the vocabulary', it.got.status);
    if (!it.got.served) untested('the vocabulary is not served at all, see token.vocabulary');
  },
  'token.vocabulary': (it) => {
    if (it.got.isRefusal) untested('the token was refused there, see token.any-endpoint');
    isServed(it, 'the vocabulary');
  },
  'errors.status-keyed': (it) => {
    const { answer, status, value } = it.got;
    if (answer.status < firstError || answer.status === it.protocol.challenge.status) untested(`no other error came, but ${status}`);
    isPatient(it);
    if (!isKeyedByStatus(value, answer.status, it.protocol))
      fail(`{"${keyOfStatus(answer.status, it.protocol)}": "…"}`, shownOctets(answer.body));
  },
  'expiry.valid-until': (it) => {
    if (!it.got.served) isWithinLifetime(it);
    isServed(it);
  },

  'headers.content-type': (it) => onStep(it, contentType),
  'headers.link': (it) => {
    const { pm, resolve } = it;
    const baseUrl = pm.variables.get('base_url') ?? '';
    onStep(it, (answer, protocol) => linkFrom(answer, protocol, baseUrl, pm.request.url.toString(), resolve));
  },
  'headers.allow-origin': (it) => onStep(it, allowOrigin),
  // Postman unpacks a body that has a content coding, so that its octets on the wire are not known here.
  'headers.content-length': (it) =>
    onStep(it, (answer, protocol) => {
      const octets = it.pm.response?.octets ?? answer.body.length;
      return octetCount(answer, protocol, headerValues(answer, 'Content-Encoding').length > 0 ? undefined : octets);
    }),
  'headers.date': (it) => onStep(it, date),
  'headers.date-format': (it) => whereThere(it, date, it.protocol.headers.date, dateFormat),
  'jsonld.parses': (it) => {
    isOfItsStep(it);
    if (it.got.problem !== undefined) fail('a body of JSON in UTF-8', it.got.problem);
  },
};

function isPatient({ got }: Judging): void {
  if (got.slowedDown) untested(`the target asked to slow down, ${got.status}`);
}

/** An answer that is not of the step is told once, by the check of its status. */
function isOfItsStep({ got, row: { step } }: Judging): void {
  if (step === 'challenge' && !got.isChallenge) untested(`the answer is no challenge, but ${got.status}`);
  if (step === 'exchange' && !got.isExchange) untested(`the exchange was not accepted, ${got.status}`);
  if (step === 'served' && !got.served) untested(`it was not served, ${got.status}`);
}

type Compare = (answer: Received['answer'], protocol: Protocol) => Judgement;

function onStep(it: Judging, compare: Compare): void {
  isOfItsStep(it);
  judged(compare(it.got.answer, it.protocol));
}

function whereThere(it: Judging, isThere: Compare, what: string, compare: Compare): void {
  isOfItsStep(it);
  if (!isThere(it.got.answer, it.protocol).ok) untested(`there is no ${what}`);
  onStep(it, compare);
}

function hasStatus(it: Judging, wanted: number): void {
  isPatient(it);
  if (it.got.answer.status !== wanted) fail(`status ${wanted}`, it.got.status);
}

function hasBody(it: Judging, wanted: Readonly<Record<string, string>>): void {
  isOfItsStep(it);
  if (it.got.problem !== undefined) untested('the body is not JSON, see jsonld.parses');
  if (!isOneMember(it.got.value, wanted)) fail(JSON.stringify(wanted), shownOctets(it.got.answer.body));
}

function isServed(it: Judging, what = 'the collection'): void {
  isPatient(it);
  const { served, isSuccess, status, answer } = it.got;
  if (!served) fail(what, isSuccess ? `${status} with ${shownOctets(answer.body)}` : status);
}

/** Rule 1: challenged like the first read of the collection. */
function challengedToo(it: Judging): void {
  isPatient(it);
  const { pm, got, known, protocol } = it;
  const first = known('challenge.first');
  const isWhole = first?.status === protocol.challenge.status && first.nonce !== '';
  // A success without a body may be a challenge with the wrong status.
  if (!isWhole && pm.request.method === 'HEAD')
    untested('a challenge that is not as it must be cannot be told without its body, see challenge.status');
  if (got.given !== undefined) fail('the challenge', got.granted, got.given);
  if (!isWhole) untested('the challenge itself is not as it must be, see challenge.status and challenge.nonce');
  if (got.answer.status === 501) untested('the server does not know the method at all (501)');
  if (got.answer.status !== protocol.challenge.status) fail(`the challenge, status ${protocol.challenge.status}`, got.status);
}

/** Slow answers are not taken for an early end of a token, and one that was given before is older than the login that gave it again. */
function isWithinLifetime({ row, check, known, clock, protocol }: Judging): void {
  const used = row.token !== undefined && 'of' in row.token ? known(row.token.of)?.token : undefined;
  if (used === known(check.unless)?.token)
    untested('two logins gave the same token, so that its age is not known, see exchange.token-unique');
  const { beganMs, nowMs, readMs } = clock();
  if (nowMs - beganMs + Date.now() - readMs >= protocol.token.lifetimeMs) untested('the answers took so long that the lifetime was over');
}
