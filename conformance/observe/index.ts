import { durationWords, madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { likeAnswer, type Phase } from '../laws/index.js';
import type { User } from '../options.js';
import { grantOf, inWords } from '../oracle/index.js';
import { type Nonce, type Trial, Untested } from '../subject/index.js';
import { type Exchange, fromTarget, headerValues } from '../wire/index.js';

/** What an observer saw: the answer to the question of its row, and how it was seen. */
interface Seen {
  readonly answer: string;
  readonly evidence: string;
}

/** Answers one OPEN row of the catalogue. It never judges. */
export interface Observer {
  readonly requirement: string;
  readonly phase: Phase;
  observe(trial: Trial): Promise<Seen>;
}

function observer(requirement: string, observe: Observer['observe'], phase: Phase = 'plain'): Observer {
  return { requirement, phase, observe };
}

/** One whose logins may be refused: it has the account for itself, so that refusals do not add up to a lock. */
const onItsAccount: typeof observer = (requirement, observe, phase) =>
  observer(requirement, async (trial) => trial.subject.accounts.borrowWhole([trial.user], () => observe(trial)), phase);

const givesToken = ({ answer }: Exchange, { protocol }: Trial) => answer !== undefined && tokenOf(answer, protocol) !== undefined;
const isServed = (exchange: Exchange, trial: Trial) => grantOf(trial.answered(exchange), trial.protocol) !== 'nothing';
const yesOrNo = (isSo: boolean, what: string, exchange: Exchange, { protocol }: Trial): Seen => ({
  answer: isSo ? 'yes' : 'no',
  evidence: `${what} got ${inWords(exchange, protocol)}`,
});

/** Whether a refusal looks like the target's own challenge, or how else it looks. */
function refusalInWords(exchange: Exchange, { subject, protocol }: Trial): Seen {
  const [own, came] = [subject.facts.challenge?.answer, inWords(exchange, protocol)];
  const likeness = exchange.answer === undefined || own === undefined ? undefined : likeAnswer(exchange.answer, own, protocol);
  if (likeness?.ok === true) return { answer: 'the challenge of Step A', evidence: came };
  const unlike = likeness === undefined ? '' : `; unlike the challenge: ${likeness.actual.replaceAll('\n', ', ')}`;
  return { answer: came, evidence: `${came}${unlike}` };
}

function inOtherCase(value: string, what: string): string {
  const upper = value.toUpperCase();
  const other = value === upper ? value.toLowerCase() : upper;
  if (other === value) throw new Untested(`the ${what} has no letters`);
  return other;
}

/** Credentials whose paraphrase may be another than the right one. */
function credentials({ subject, protocol, user: own }: Trial, { id, paraphrase }: User = own, what = ''): string {
  const written = basic(protocol.challenge.scheme, id, paraphrase);
  if (what !== '') subject.redactor.secret(written, what);
  return written;
}

const wrongCredentials = (trial: Trial) =>
  credentials(trial, { ...trial.user, paraphrase: `${trial.user.paraphrase}x` }, 'wrong credentials');

function expectInstantClock({ subject: { clock } }: Trial): void {
  if (!clock.canMove || !clock.isInstant) throw new Untested('this needs a clock that can be moved (see --clock)');
}

const second = 1000;
const minute = 60 * second;
/** Where nonces usually end; each length is tried on a nonce of its own. */
const lengthsMs = [10 * second, 30 * second, ...[1, 2, 5, 10, 15, 30, 60, 24 * 60].map((minutes) => minutes * minute)];
const edgeMs = second;

async function nonceLifetime(trial: Trial): Promise<Seen> {
  expectInstantClock(trial);
  const { facts } = trial.subject;
  let next: Promise<Nonce> | undefined;
  const opens = async (age: number) => {
    const nonce = await (next ?? trial.challenge());
    await trial.advance(age);
    // The nonce for the next age comes while this one is tried.
    const exchange = trial.exchange(nonce);
    next = facts.oneAtATime === undefined ? trial.challenge() : undefined;
    await next;
    return givesToken(await exchange, trial);
  };
  // Halving: the usual length before which all nonces open, and from which on none does.
  let [from, to] = [0, lengthsMs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (await opens((lengthsMs[middle] as number) + edgeMs)) from = middle + 1;
    else to = middle;
  }
  const length = lengthsMs[from];
  const longest = from === 0 ? 0 : (lengthsMs[from - 1] as number) + edgeMs;
  if (length === undefined)
    return { answer: `more than ${durationWords(longest)}`, evidence: `a nonce that was ${durationWords(longest)} old still worked` };
  const [justBefore, justAfter] = [length - edgeMs, length + edgeMs];
  const exact = await opens(justBefore);
  const [lived, dead] = exact ? [justBefore, justAfter] : [longest, justBefore];
  return {
    answer: exact ? durationWords(length) : `between ${durationWords(lived)} and ${durationWords(dead)}`,
    evidence:
      lived === 0
        ? `a nonce that was ${durationWords(dead)} old was refused`
        : `a nonce worked at the age of ${durationWords(lived)}, and not at ${durationWords(dead)}`,
  };
}

const beyondMs = minute;
const honoured = 'an expired token was accepted (see expiry.refused-after)';

/** Every observer, one for each OPEN row that can be seen from outside. */
export const observers: readonly Observer[] = [
  onItsAccount('challenge.nonce-single-use', async (trial) => {
    const again = await trial.exchange({ value: await trial.spentNonce() });
    return givesToken(again, trial)
      ? { answer: 'yes, it can be used again', evidence: 'a second exchange with one nonce gave a token' }
      : { answer: 'no, it is single-use', evidence: `a second exchange with one nonce got ${inWords(again, trial.protocol)}` };
  }),
  onItsAccount('challenge.nonce-letter-case', async (trial) => {
    const exchange = await trial.exchange({ value: inOtherCase((await trial.challenge()).value, 'nonce') });
    return yesOrNo(givesToken(exchange, trial), 'the nonce in the other letter case', exchange, trial);
  }),
  onItsAccount('exchange.wrong-nonce-answer', async (trial) =>
    refusalInWords(await trial.present(madeUp(trial.protocol.challenge.noncePattern), credentials(trial)), trial),
  ),
  onItsAccount('challenge.nonce-lifetime', nonceLifetime, 'clock'),
  onItsAccount(
    'challenge.nonce-after-refusal',
    async (trial) => {
      const nonce = await trial.challenge();
      await trial.present(nonce.value, wrongCredentials(trial));
      const exchange = await trial.exchange(nonce);
      return yesOrNo(givesToken(exchange, trial), 'after wrong credentials the same nonce with the right ones', exchange, trial);
    },
    'wrong-credentials',
  ),
  onItsAccount(
    'exchange.wrong-credentials-answer',
    async (trial) => refusalInWords(await trial.present((await trial.challenge()).value, wrongCredentials(trial)), trial),
    'wrong-credentials',
  ),
  observer(
    'exchange.unicode-forms',
    async (trial) => {
      const otherForm = ({ paraphrase }: User) => paraphrase.normalize(paraphrase.normalize('NFC') === paraphrase ? 'NFD' : 'NFC');
      const user = trial.subject.ableUsers.find((each) => otherForm(each) !== each.paraphrase);
      if (user === undefined) throw new Untested('this needs a user whose paraphrase has an accented letter');
      const authorization = credentials(trial, { ...user, paraphrase: otherForm(user) }, 'credentials in another form');
      const present = async () => trial.present((await trial.challenge()).value, authorization);
      const exchange = await trial.subject.accounts.borrowWhole([user], present);
      return yesOrNo(givesToken(exchange, trial), `the paraphrase of user ${user.id} in the other form`, exchange, trial);
    },
    'wrong-credentials',
  ),
  observer('token.unknown-token-answer', async (trial) =>
    refusalInWords(await trial.use(madeUp(trial.protocol.exchange.tokenPattern)), trial),
  ),
  observer('token.letter-case', async (trial) => {
    const other = inOtherCase((await trial.login()).value, 'token');
    trial.subject.redactor.token(other, 'token in another letter case');
    const exchange = await trial.use(other);
    return yesOrNo(isServed(exchange, trial), 'the token in the other letter case', exchange, trial);
  }),
  observer('token.beside-credentials', async (trial) => {
    const token = await trial.login();
    const headers = [[trial.protocol.headers.token, token.value]] as const;
    const exchange = await trial.present((await trial.challenge()).value, credentials(trial), { headers });
    const grant = grantOf(trial.answered(exchange), trial.protocol);
    const answer = grant === 'token' ? 'the exchange, by rule 3' : grant === 'served' ? 'the resource, by rule 4' : 'a refusal';
    return { answer, evidence: inWords(exchange, trial.protocol) };
  }),
  observer(
    'expiry.expired-token-answer',
    async (trial) => {
      expectInstantClock(trial);
      const token = await trial.login();
      await trial.advance(trial.protocol.token.lifetimeMs + beyondMs);
      const exchange = await trial.use(token);
      if (isServed(exchange, trial)) throw new Untested(honoured);
      return refusalInWords(exchange, trial);
    },
    'clock',
  ),
  observer(
    'expiry.instant',
    async (trial) => {
      const { clock } = trial.subject;
      const before = clock.canMove ? await clock.now() : undefined;
      const token = await trial.login();
      if (before === undefined || (await clock.now()) !== before) throw new Untested('this needs a clock that stands still between moves');
      await trial.advance(trial.protocol.token.lifetimeMs);
      const exchange = await trial.use(token);
      const isInclusive = isServed(exchange, trial);
      if (isInclusive) {
        await trial.advance(beyondMs);
        if (isServed(await trial.use(token), trial)) throw new Untested(honoured);
      }
      return {
        answer: isInclusive ? 'yes, the end is inclusive' : 'no, the end is exclusive',
        evidence: `at the exact instant it got ${inWords(exchange, trial.protocol)}`,
      };
    },
    'clock',
  ),
  observer('errors.other-errors', async (trial) => {
    const { value } = await trial.subject.sharedToken();
    const exchange = await trial.use(value, { path: '/no-such-collection' });
    return { answer: inWords(exchange, trial.protocol), evidence: 'GET /no-such-collection with a valid token' };
  }),
  observer('protection.preflight', async (trial) => {
    const { nonce, authorization, token } = trial.protocol.headers;
    const exchange = await trial.send({
      method: 'OPTIONS',
      headers: [
        ['Origin', 'https://elsewhere.example'],
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', `${nonce},${authorization},${token}`.toLowerCase()],
      ],
    });
    const { status, ...answer } = trial.answered(exchange);
    const evidence = inWords(exchange, trial.protocol);
    if (status === trial.subject.facts.challengeStatus) return { answer: 'like any request without credentials', evidence };
    const allowed = headerValues(answer, 'access-control-allow-headers').join(', ');
    return { answer: allowed === '' ? evidence : `with permission to send ${fromTarget(allowed)}`, evidence };
  }),
  observer(
    'protection.limits',
    async (trial) => {
      const { rateLimited, requests } = trial.subject.client;
      return rateLimited === 0
        ? { answer: 'no', evidence: `none of ${requests} requests was told to slow down` }
        : { answer: 'yes', evidence: `${rateLimited} of ${requests} requests were told to slow down` };
    },
    'history',
  ),
];
