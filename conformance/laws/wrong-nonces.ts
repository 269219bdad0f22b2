import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { basic, everyNearMissRecipe, type NearMissRecipe, nearMiss, nearMissRecipe, oddOctet, shaped } from '../arbitraries/index.js';
import type { User } from '../options.js';
import { type Nonce, Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { law } from './law.js';

/**
 * The request that differs in the one thing under test must be granted; otherwise a refusal proves nothing. It also keeps the counters
 * of accounts low that lock themselves.
 */
function control(trial: Trial, refusal: Exchange, user: User): Promise<void> {
  const login = async () => void (await new Trial(trial.subject).loginAfter(refusal, user));
  return trial.subject.accounts.control(user, login, () => trial.spareNonceOf(refusal));
}

const rightCredentials = (trial: Trial, { id, paraphrase }: User) => basic(trial.protocol.challenge.scheme, id, paraphrase);

interface WrongNonce {
  readonly kind: 'made-up' | 'near-miss' | 'odd';
  readonly text: string;
  readonly recipe: NearMissRecipe;
}

export const oddNonces = [
  '',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0',
  'null',
  'undefined',
  'constructor',
  '__proto__',
  '..',
  '*',
  '{}',
  "' OR '1'='1",
  '%00',
  '%',
  'a'.repeat(300),
  oddOctet,
];

async function presentWrongNonce(
  trial: Trial,
  wrong: WrongNonce,
  user: User,
  fresh: (() => Promise<Nonce>) | undefined,
): Promise<{ exchange: Exchange; how: string }> {
  if (fresh === undefined) {
    const exchange = await trial.present(wrong.text, rightCredentials(trial, user), {}, 'refused-credentials');
    if (exchange.answer !== undefined) trial.subject.answered.add(`nonce ${wrong.text}`);
    return { exchange, how: `the nonce "${wrong.text}", which was never issued,` };
  }
  const missed = nearMiss((await fresh()).value, wrong.recipe);
  if (missed === undefined) throw new Untested('the changed nonce is the same nonce');
  return {
    exchange: await trial.present(missed.value, rightCredentials(trial, user), {}, 'refused-credentials'),
    how: `a nonce with ${missed.how}`,
  };
}

export const wrongNonces = [
  law<WrongNonce>('exchange.wrong-nonce-refused', {
    phase: 'wrong-credentials',
    given: ({ protocol }) =>
      fc.record({
        kind: fc.constantFrom('made-up', 'near-miss', 'odd'),
        text: fc.oneof(shaped(protocol.challenge.noncePattern), fc.constantFrom(...oddNonces)),
        recipe: nearMissRecipe,
      }),
    randomCases: (runs) => Math.ceil(runs / 10),
    examples: ({ protocol }) => [
      ...oddNonces.map((text): WrongNonce => ({ kind: 'odd', text, recipe: { kind: 0, at: 0 } })),
      { kind: 'made-up', text: madeUp(protocol.challenge.noncePattern), recipe: { kind: 0, at: 0 } },
      ...everyNearMissRecipe.map((recipe): WrongNonce => ({ kind: 'near-miss', text: '', recipe })),
    ],
    judge: (trial, wrong, { accounts, ableUsers }) =>
      accounts.borrow(
        ableUsers.length === 0 ? [trial.user] : ableUsers,
        async (user, nonce: (() => Promise<Nonce>) | undefined) => {
          const { exchange, how } = await presentWrongNonce(trial, wrong, user, nonce);
          trial.expectRefused(exchange, `a request with correct credentials and ${how}`);
          await control(trial, exchange, user);
        },
        async () => (wrong.kind === 'near-miss' ? trial.challengeAhead() : undefined),
      ),
  }),
];
