import { madeUp } from '../../spec/index.js';
import { type NearMiss, wrongParaphrases } from '../arbitraries/index.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { type Subject, type Trial, Violation } from '../subject/index.js';
import { type Exchange, isHungUp } from '../wire/index.js';
import { chosen } from './law.js';
import { credentialsOf, hide, userAt } from './present-wrong.js';
import { oddTokens } from './refused-tokens.js';
import { malformed, malformedPicks, unknownIds } from './wrong-credentials.js';
import { oddNonces } from './wrong-nonces.js';

interface Wrong extends NearMiss {
  readonly what: 'wrong credentials' | 'a wrong nonce' | 'a wrong token';
}

/** Wrong values, the same that other laws present. */
function presented(subject: Subject): Wrong[] {
  const { challenge, exchange } = subject.protocol;
  const user = userAt(subject, 0);
  const credentials = (changed: Partial<User>, how: string) => ({ value: credentialsOf(subject, { ...user, ...changed }), how });
  const asItIs = (value: string): NearMiss => ({ value, how: `"${value.slice(0, 20)}"` });
  const all = {
    'wrong credentials': [
      // Each of the user whom the law about them gives it to.
      ...malformedPicks(subject).map((pick) => malformed(userAt(subject, pick.user), subject)[pick.kind] as NearMiss),
      ...unknownIds(user, subject).map(({ value, how }) => credentials({ id: value }, `${how}: "${value}"`)),
      ...wrongParaphrases(user.paraphrase).flatMap(({ value, how, isMoot }) =>
        isMoot === true ? [] : credentials({ paraphrase: value }, `a wrong paraphrase: ${how}`),
      ),
    ],
    'a wrong nonce': [...oddNonces, madeUp(challenge.noncePattern)].map(asItIs),
    'a wrong token': [...oddTokens, madeUp(exchange.tokenPattern)].map(asItIs),
  } satisfies Record<Wrong['what'], readonly NearMiss[]>;
  return (Object.keys(all) as Wrong['what'][]).flatMap((what) => all[what].map((each) => ({ ...each, what })));
}

/** A value that was answered when another law presented it is not presented again. */
export const hungUp = chosen<Wrong | undefined>('exchange.no-server-error', {
  name: 'answered',
  phase: 'wrong-credentials',
  afterOthers: 'at the end',
  examples: (subject) => (subject.ableUsers.length === 0 ? [undefined] : presented(subject)),
  async judge(trial, wrong, subject) {
    const user = userAt(subject, 0);
    if (wrong === undefined || subject.answered.has(wrong.what === 'a wrong nonce' ? `nonce ${wrong.value}` : wrong.value)) return;
    if (!isHungUp(await send(trial, user, wrong))) return;
    trial.chain.length = 0;
    const again = await send(trial, user, wrong);
    if (!isHungUp(again)) return;
    const shown = trial.chain.length;
    await trial.login(user); // the control: connections are not closed because the account is locked
    trial.chain.splice(shown);
    throw new Violation(`a request with ${wrong.what} (${wrong.how}) is answered`, inWords(again, trial.protocol));
  },
});

/** With a login behind what may be a wrong attempt, so that such attempts do not add up to a lock. */
async function send(trial: Trial, user: User, { what, value }: Wrong): Promise<Exchange> {
  if (what === 'a wrong token') return trial.use(value);
  if (what === 'wrong credentials') hide(value, trial.subject);
  const exchange =
    what === 'a wrong nonce'
      ? await trial.present(value, credentialsOf(trial, user))
      : await trial.present((await trial.challenge()).value, value);
  await trial.loginAside(user);
  return exchange;
}
