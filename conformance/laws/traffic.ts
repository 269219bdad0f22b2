import { isGranted } from '../oracle/index.js';
import { knownPaths, type Role, type Sending, type Subject, type Trial } from '../subject/index.js';

/** Reads whose answers nothing else asks for. */
interface Traffic {
  readonly role: Role;
  sendings(subject: Subject): readonly Sending[];
  send(trial: Trial, sending: Sending): Promise<unknown>;
}

/** What the collections list, which may be made in another way than they are. */
const listed: Traffic = {
  role: 'use',
  sendings: ({ oracle }) => oracle.namedMembers().map((path) => ({ path })),
  async send(trial, sending) {
    const exchange = await trial.use(await trial.sharedToken(), sending, 'use');
    if (isGranted(exchange, trial.protocol)) return;
    // Where the token is wrongly refused, because it was issued at another address, one that was issued here is used.
    const path = `/${(sending.path ?? trial.firstPath).split('/')[1]}`;
    await trial.use(await trial.login(trial.user, { path }), sending, 'use');
  },
};

/** Everything, where nobody has to log in. */
const open: Traffic = {
  role: 'unguarded',
  sendings: (subject) =>
    knownPaths(subject).flatMap((path) => [
      { path },
      { path, method: 'HEAD' },
      {
        path,
        headers: [
          ['Origin', 'https://elsewhere.example'],
          ['Accept-Encoding', 'gzip, deflate, br'],
        ],
      },
    ]),
  send: (trial, sending) => trial.send(sending, 'unguarded'),
};

/** Nothing that may change anything goes to a service that is open. */
export const trafficOf = ({ facts }: Subject): Traffic => (facts.off ? open : listed);
