import type { User } from '../options.js';
import { grantOf, inWords, knownPaths, nonceOf, type Subject, Trial, tokenOf } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { noncesExcludeEachOther } from './nonces.js';

/** What stands in the way of a verdict, unless something that is itself a finding explains it. */
export interface Preflight {
  /** The target cannot be judged at all. */
  readonly fatal?: string;
  /** No given user can log in; no verdict, unless a requirement is found violated. */
  readonly unlessFound?: string;
}

/** Finds out whether the target can be judged, and on which of the three steps the checks can build. */
export async function preflight(subject: Subject): Promise<Preflight> {
  const trial = new Trial(subject);
  const first = await trial.send({}).catch(() => trial.chain.at(-1) as Exchange);
  if (first.answer === undefined) return { fatal: `The target cannot be judged. ${first.problem?.message ?? 'No answer came.'}` };
  if (subject.facts.off) return {};
  const grant = grantOf(first.answer, subject.protocol);
  if (grant !== 'nothing') {
    subject.facts.noNonce = 'a plain read is not refused, so there is nothing to build upon (see challenge.status)';
    subject.facts.noLogin = subject.facts.noNonce;
    subject.facts.noUse = subject.facts.noNonce;
    return {};
  }
  subject.facts.challengeStatus = first.answer.status;
  subject.facts.challenge = first;
  subject.facts.guardedPaths = await guarded(subject, first);
  if (nonceOf(first.answer, subject.protocol) === undefined) {
    subject.facts.noNonce = 'Step A gives no nonce (see challenge.nonce)';
    subject.facts.noLogin = subject.facts.noNonce;
    subject.facts.noUse = subject.facts.noNonce;
    return {};
  }
  return logInAll(subject);
}

/** Which of the known addresses are refused like the first. */
async function guarded(subject: Subject, first: Exchange): Promise<string[]> {
  const [path, ...more] = knownPaths(subject);
  const reads = await Promise.all(more.map((each) => new Trial(subject).send({ path: each })));
  const refused = (read: Exchange | undefined) =>
    read?.answer?.status === first.answer?.status && read?.answer !== undefined && grantOf(read.answer, subject.protocol) === 'nothing';
  subject.facts.challenges = new Map(reads.filter(refused).map((read) => [read.request.target, read]));
  return [path, ...more.filter((_, index) => refused(reads[index]))];
}

async function logInAll(subject: Subject): Promise<Preflight> {
  const refused: string[] = [];
  let withoutToken = false;
  let token: string | undefined;
  for (const user of subject.users) {
    const exchange = await tryToLogIn(subject, user);
    const value = exchange.answer === undefined ? undefined : tokenOf(exchange.answer, subject.protocol);
    if (value !== undefined) {
      token ??= value;
      subject.ableUsers.push(user);
      continue;
    }
    if (exchange.answer !== undefined && grantOf(exchange.answer, subject.protocol) === 'served') withoutToken = true;
    refused.push(`user ${user.id} got ${inWords(exchange, subject.protocol)}`);
  }
  if (token === undefined) {
    const noLogin = withoutToken ? 'Step B gives no token (see exchange.token)' : `no given user can log in (${refused.join('; ')})`;
    subject.facts.noLogin = noLogin;
    subject.facts.noUse = noLogin;
    if (!withoutToken) subject.facts.loginRefused = noLogin;
    return withoutToken
      ? {}
      : {
          unlessFound: `No given user can log in: ${refused.join('; ')}. Check the ids and paraphrases, or look at Step B of the service.`,
        };
  }
  if (await noncesExcludeEachOther(subject)) {
    subject.facts.oneAtATime = 'The target ends a nonce when another is issued or used, so the checks ran one after another.';
  }
  const use = await new Trial(subject).use(token);
  if (use.answer === undefined || grantOf(use.answer, subject.protocol) === 'nothing') {
    subject.facts.noUse = `a fresh token does not open the collection (see token.sufficient; ${inWords(use, subject.protocol)})`;
  }
  return {};
}

async function tryToLogIn(subject: Subject, user: User): Promise<Exchange> {
  const trial = new Trial(subject);
  return trial.exchange(await trial.challenge(), user);
}
