import fc from 'fast-check';
import { basic, guardedMethods, nameCase, oddHeader, query, unknownPath } from '../arbitraries/index.js';
import { guardedPaths, knownPaths, nonceOf, type Role, type Sending, type Subject, type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** One request of a role: how it is sent, and by whom. */
export interface Case {
  readonly role: Role;
  readonly sending: Sending;
  readonly user: number;
}

interface Action {
  examples(subject: Subject): Case[];
  sendings(subject: Subject): fc.Arbitrary<Sending>;
  /** Takes the steps that lead to it and gives the exchange to look at. */
  act(trial: Trial, value: Case): Promise<Exchange>;
}

export function caseOf(role: Role, subject: Subject): fc.Arbitrary<Case> {
  return fc.record({ role: fc.constant(role), sending: actions[role].sendings(subject), user: fc.nat(7) });
}

const reads = (subject: Subject) => fc.constantFrom(...knownPaths(subject));
const guardedReads = (subject: Subject) => fc.constantFrom(...guardedPaths(subject));
const atEvery =
  (role: Role, methods: readonly string[], paths: (subject: Subject) => readonly string[] = knownPaths) =>
  (subject: Subject) =>
    paths(subject).flatMap((path) => methods.map((method): Case => ({ role, sending: { method, path }, user: 0 })));

/** As a page in a browser sends them. */
const ofAScript = [
  ['Origin', 'https://elsewhere.example'],
  ['Accept', 'text/html, */*'],
  ['X-Requested-With', 'XMLHttpRequest'],
] as const;

const someHeaders = fc.array(oddHeader, { maxLength: 2 });

/** A read with a token that many requests share; laws about tokens themselves draw their own. */
async function sharedUse(trial: Trial, value: Case): Promise<Exchange> {
  const token = await trial.subject.sharedToken();
  trial.chain.push(...token.chain);
  return trial.use(token.value, value.sending, 'use');
}

const unknownToken = 'deadbeef'.repeat(8);

export const actions: Readonly<Record<Role, Action>> = {
  challenge: {
    examples: (subject) => [
      ...atEvery('challenge', guardedMethods)(subject),
      ...atEvery('challenge', ['GET'])(subject).map((each) => ({
        ...each,
        sending: { ...each.sending, headers: [['Origin', 'https://elsewhere.example'] as const] },
      })),
      { role: 'challenge', sending: { path: '/no-such-collection' }, user: 0 },
      // Deeper than the rest: a relative link resolves otherwise here.
      { role: 'challenge', sending: { path: `/${subject.collections[0]}/no-such-member` }, user: 0 },
      { role: 'challenge', sending: { headers: [['Accept-Encoding', 'gzip, deflate, br']] }, user: 0 },
    ],
    sendings: (subject) =>
      fc
        .record({
          method: fc.constantFrom(...guardedMethods),
          path: fc.oneof(reads(subject), unknownPath),
          query: fc.oneof(fc.constant(''), query),
          headers: someHeaders,
        })
        .map(({ method, path, query: asked, headers }) => ({ method, path: `${path}${asked}`, headers })),
    act: (trial, value) => trial.stranger(value.sending),
  },
  exchange: {
    examples: (subject) => [
      ...atEvery('exchange', ['GET'], guardedPaths)(subject),
      { role: 'exchange', sending: { path: guardedPaths(subject)[0], headers: ofAScript }, user: 0 },
    ],
    sendings: (subject) => fc.record({ path: guardedReads(subject), headers: someHeaders, nameCase }),
    async act(trial, value) {
      const { ableUsers, users } = trial.subject;
      const user = ableUsers[value.user % ableUsers.length] ?? users[0];
      if (user === undefined) throw new Untested('no user is given');
      const { headers: _, ...plain } = value.sending;
      return trial.exchange(await trial.challenge(plain), user, value.sending);
    },
  },
  use: {
    examples: (subject) => [
      ...atEvery('use', ['GET', 'HEAD'])(subject),
      ...atEvery('use', ['GET'])(subject).map((each) => ({
        ...each,
        sending: {
          ...each.sending,
          headers: [['Origin', 'https://elsewhere.example'] as const, ['Accept-Encoding', 'gzip, deflate, br'] as const],
        },
      })),
    ],
    sendings: (subject) =>
      fc.record({
        method: fc.constantFrom('GET', 'GET', 'HEAD'),
        path: reads(subject),
        headers: fc.constantFrom([], [['Accept-Encoding', 'gzip']] as const, [['Origin', 'null']] as const),
        nameCase,
      }),
    act: sharedUse,
  },
  unguarded: {
    examples: atEvery('unguarded', ['GET', 'HEAD']),
    sendings: (subject) =>
      fc.record({
        method: fc.constantFrom('GET', 'HEAD'),
        path: reads(subject),
        headers: fc.constantFrom([], [['Accept-Encoding', 'gzip']] as const, [['Origin', 'null']] as const),
      }),
    act: (trial, value) => trial.send(value.sending, 'unguarded'),
  },
  'refused-credentials': {
    examples: (subject) => atEvery('refused-credentials', ['GET'], guardedPaths)(subject).slice(0, 2),
    sendings: (subject) => fc.record({ path: guardedReads(subject) }),
    async act(trial, value) {
      const nonce = await trial.challenge(value.sending);
      const { user } = trial;
      const authorization = basic(trial.protocol.challenge.scheme, user.id, `${user.paraphrase}x`);
      trial.subject.redactor.secret(authorization, 'credentials');
      const exchange = await trial.present(nonce.value, authorization, value.sending, 'refused-credentials');
      // The right ones after the wrong ones, so that no account is locked by one law after another.
      const offered = exchange.answer === undefined ? undefined : nonceOf(exchange.answer, trial.protocol);
      const shown = trial.chain.length;
      if (offered !== undefined) await trial.exchange({ value: offered });
      trial.chain.splice(shown);
      return exchange;
    },
  },
  'refused-token': {
    examples: atEvery('refused-token', ['GET'], guardedPaths),
    sendings: (subject) => fc.record({ path: guardedReads(subject) }),
    act: (trial, value) => trial.use(unknownToken, value.sending, 'refused-token'),
  },
  'refused-expired': {
    examples: (subject) => atEvery('refused-expired', ['GET'], guardedPaths)(subject).slice(0, 1),
    sendings: (subject) => fc.record({ path: guardedReads(subject) }),
    async act(trial, value) {
      const token = await trial.login();
      await trial.advance(trial.protocol.token.lifetimeMs + 60_000);
      return trial.use(token, value.sending, 'refused-expired');
    },
  },
};
