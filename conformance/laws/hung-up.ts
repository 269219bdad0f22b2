import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { basic, everyWrongParaphrase, malformedAuthorizations, type NearMiss, wrongParaphrase } from '../arbitraries/index.js';
import { inWords } from '../oracle/index.js';
import { type Subject, type Trial, Violation } from '../subject/index.js';
import { type Exchange, isHungUp } from '../wire/index.js';
import { law } from './law.js';
import { malformedPicks } from './pick-user.js';
import { hide, userAt } from './present-wrong.js';
import { oddTokens } from './refused-tokens.js';
import { unknownIds } from './unknown-users.js';
import { oddNonces } from './wrong-nonces.js';

const carriers = ['credentials', 'nonce', 'token'] as const;

interface Wrong {
  readonly what: (typeof carriers)[number];
  readonly kind: number;
}

const words: Record<Wrong['what'], string> = { credentials: 'wrong credentials', nonce: 'a wrong nonce', token: 'a wrong token' };

/** Wrong values, the same that other laws present. */
const presented: Record<Wrong['what'], (subject: Subject) => readonly NearMiss[]> = {
  credentials(subject) {
    const { scheme } = subject.protocol.challenge;
    const user = userAt(subject, 0);
    const named = ({ value, how }: NearMiss): NearMiss => ({ value: basic(scheme, value, user.paraphrase), how: `${how}: "${value}"` });
    const paraphrases = everyWrongParaphrase(user.paraphrase).flatMap((kind) => wrongParaphrase(user.paraphrase, kind) ?? []);
    return [
      // Each of the user whom the law about them gives it to.
      ...malformedPicks(subject).map((pick) => malformedAuthorizations(scheme, userAt(subject, pick.user))[pick.kind] as NearMiss),
      ...unknownIds(user, subject).map(named),
      ...paraphrases.map(({ value, how }) => ({ value: basic(scheme, user.id, value), how: `a wrong paraphrase: ${how}` })),
    ];
  },
  nonce: ({ protocol }) => [...oddNonces, madeUp(protocol.challenge.noncePattern)].map(asItIs),
  token: ({ protocol }) => [...oddTokens, madeUp(protocol.exchange.tokenPattern)].map(asItIs),
};

const asItIs = (value: string): NearMiss => ({ value, how: `"${value.slice(0, 20)}"` });

/** A value that was answered when another law presented it is not presented again. */
export const hungUp = law<Wrong>('exchange.no-server-error', {
  name: 'answered',
  phase: 'wrong-credentials',
  afterOthers: true,
  given: () => fc.record({ what: fc.constantFrom(...carriers), kind: fc.nat(60) }),
  examples: (subject) =>
    subject.ableUsers.length === 0 ? [] : carriers.flatMap((what) => presented[what](subject).map((_, kind) => ({ what, kind }))),
  randomCases: (_, { ableUsers }) => (ableUsers.length === 0 ? 1 : 0),
  async judge(trial, { what, kind }, subject) {
    const all = presented[what](subject);
    const { value, how } = all[kind % all.length] as NearMiss;
    if (subject.answered.has(what === 'nonce' ? `nonce ${value}` : value)) return;
    if (!isHungUp(await send(trial, what, value))) return;
    trial.chain.length = 0;
    const again = await send(trial, what, value);
    if (!isHungUp(again)) return;
    const shown = trial.chain.length;
    await trial.login(userAt(subject, 0)); // the control: connections are not closed because the account is locked
    trial.chain.splice(shown);
    throw new Violation(`a request with ${words[what]} (${how}) is answered`, inWords(again, trial.protocol));
  },
});

/** With a login behind what may be a wrong attempt, so that such attempts do not add up to a lock. */
async function send(trial: Trial, what: Wrong['what'], value: string): Promise<Exchange> {
  if (what === 'token') return trial.use(value);
  const user = userAt(trial.subject, 0);
  if (what === 'credentials') hide(value, trial.subject);
  const exchange =
    what === 'nonce'
      ? await trial.present(value, basic(trial.protocol.challenge.scheme, user.id, user.paraphrase))
      : await trial.present((await trial.challenge()).value, value);
  await trial.loginAside(user);
  return exchange;
}
