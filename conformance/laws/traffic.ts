import { isGranted } from '../oracle/index.js';
import { knownPaths, type Role, type Sending, type Subject, type Trial } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';

/** Plain requests of a role, so that there are answers to look at also where there is room for nothing else. */
interface Traffic {
  readonly role: Role;
  sendings(subject: Subject): readonly Sending[];
  send(trial: Trial, sending: Sending): Promise<unknown>;
}

const reads = (subject: Subject): Sending[] => knownPaths(subject).map((path) => ({ path }));

const fromElsewhere: readonly HeaderLine[] = [
  ['Origin', 'https://elsewhere.example'],
  ['Accept-Encoding', 'gzip, deflate, br'],
];

export const traffic: readonly Traffic[] = [
  {
    role: 'challenge',
    // Methods that reach the application on every HTTP server; OPTIONS has rows of its own.
    sendings: (subject) => [...reads(subject), ...['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method }))],
    send: (trial, sending) => trial.stranger(sending),
  },
  {
    role: 'use',
    // What the collections list may be made in another way than they are.
    sendings: (subject) => [...reads(subject), ...subject.oracle.namedMembers().map((path) => ({ path }))],
    async send(trial, sending) {
      const exchange = await trial.use(await trial.sharedToken(), sending, 'use');
      if (isGranted(exchange, trial.protocol)) return;
      // Where the token is wrongly refused, because it was issued at another address, one that was issued here is used.
      const path = `/${(sending.path ?? trial.firstPath).split('/')[1]}`;
      await trial.use(await trial.login(trial.user, { path }), sending, 'use');
    },
  },
  {
    role: 'unguarded',
    sendings: (subject) => [
      ...reads(subject),
      ...reads(subject).map((each) => ({ ...each, method: 'HEAD' })),
      ...reads(subject).map((each) => ({ ...each, headers: fromElsewhere })),
    ],
    send: (trial, sending) => trial.send(sending, 'unguarded'),
  },
];
