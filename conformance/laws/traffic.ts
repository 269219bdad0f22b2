import { madeUp } from '../../spec/index.js';
import { isGranted } from '../oracle/index.js';
import { guardedPaths, knownPaths, type Role, type Sending, type Subject, type Trial } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import type { Phase } from './law.js';
import { credentialsOf } from './present-wrong.js';

/** Plain requests of a role, so that there are answers to look at whatever else is selected. */
interface Traffic {
  readonly role: Role;
  readonly phase: Phase;
  sendings(subject: Subject): readonly Sending[];
  send(trial: Trial, sending: Sending): Promise<unknown>;
}

const reads = (subject: Subject): Sending[] => knownPaths(subject).map((path) => ({ path }));
const guardedReads = (subject: Subject): Sending[] => guardedPaths(subject).map((path) => ({ path }));
const headers: readonly HeaderLine[] = [
  ['Origin', 'https://elsewhere.example'],
  ['Accept-Encoding', 'gzip, deflate, br'],
];
const readsFromElsewhere = (subject: Subject): Sending[] => reads(subject).map((each) => ({ ...each, headers }));
const readsInThreeWays = (subject: Subject): Sending[] => [
  ...reads(subject),
  ...reads(subject).map((each) => ({ ...each, method: 'HEAD' })),
  ...readsFromElsewhere(subject),
];

async function useShared(trial: Trial, sending: Sending): Promise<void> {
  const exchange = await trial.use(await trial.sharedToken(), sending, 'use');
  if (isGranted(exchange, trial.protocol)) return;
  // Where the token is wrongly refused, because it was issued at another address, one that was issued here is used.
  const path = `/${(sending.path ?? trial.firstPath).split('/')[1]}`;
  await trial.use(await trial.login(trial.user, { path }), sending, 'use');
}

export const traffic: readonly Traffic[] = [
  {
    role: 'challenge',
    phase: 'plain',
    sendings: (subject) => [
      ...reads(subject),
      ...readsFromElsewhere(subject),
      // Methods that reach the application on every HTTP server; OPTIONS has rows of its own.
      ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method })),
      // One level deeper than the others, where a relative link leads elsewhere.
      { path: `/${subject.collections[0]}/no-such-member` },
    ],
    send: (trial, sending) => trial.stranger(sending),
  },
  {
    role: 'exchange',
    phase: 'plain',
    sendings: (subject) => [...guardedReads(subject), ...subject.ableUsers.map(() => ({ headers }))],
    async send(trial, sending) {
      if (sending.headers === undefined) return trial.exchange(await trial.challenge(sending), trial.user, sending);
      return trial.exchange(await trial.challenge(), trial.subject.ableUsers.at(-1) ?? trial.user, sending);
    },
  },
  { role: 'use', phase: 'plain', sendings: readsInThreeWays, send: useShared },
  {
    role: 'use',
    phase: 'plain',
    // What the collections list may be made in another way than they are.
    sendings: (subject) => subject.oracle.namedMembers().map((path) => ({ path })),
    send: useShared,
  },
  { role: 'unguarded', phase: 'plain', sendings: readsInThreeWays, send: (trial, sending) => trial.send(sending, 'unguarded') },
  {
    role: 'refused-token',
    phase: 'plain',
    sendings: guardedReads,
    send: (trial, sending) => trial.use(madeUp(trial.protocol.exchange.tokenPattern), sending, 'refused-token'),
  },
  {
    role: 'refused-credentials',
    phase: 'wrong-credentials',
    sendings: (subject) => guardedReads(subject).slice(0, 2),
    send: async (trial, sending) =>
      trial.subject.accounts.borrow([trial.user], async (user) => {
        const nonce = await trial.challenge(sending);
        const authorization = credentialsOf(trial, { ...user, paraphrase: `${user.paraphrase}x` });
        trial.subject.redactor.secret(authorization, 'credentials');
        const exchange = await trial.present(nonce.value, authorization, sending, 'refused-credentials');
        await trial.loginAfter(exchange);
      }),
  },
  {
    role: 'refused-expired',
    phase: 'clock',
    sendings: (subject) => (subject.clock.canMove ? guardedReads(subject).slice(0, 1) : []),
    async send(trial, sending) {
      const token = await trial.login();
      await trial.advance(trial.protocol.token.lifetimeMs + trial.subject.toleranceMs + 1000);
      return trial.use(token, sending, 'refused-expired');
    },
  },
];
