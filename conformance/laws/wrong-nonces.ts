import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { everyNearMissRecipe, type NearMissRecipe, nearMiss, nearMissRecipe, oddTexts, shaped } from '../arbitraries/index.js';
import type { User } from '../options.js';
import { type Nonce, type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { law } from './law.js';
import { control, credentialsOf } from './present-wrong.js';

interface WrongNonce {
  readonly kind: 'made-up' | 'near-miss' | 'odd';
  readonly text: string;
  readonly recipe: NearMissRecipe;
}

export const oddNonces = [...oddTexts, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '%00'];

async function presentWrongNonce(
  trial: Trial,
  { text, recipe }: WrongNonce,
  user: User,
  fresh: (() => Promise<Nonce>) | undefined,
): Promise<{ exchange: Exchange; how: string }> {
  const missed = fresh === undefined ? undefined : nearMiss((await fresh()).value, recipe);
  if (fresh !== undefined && missed === undefined) throw new Untested('the changed nonce is the same nonce');
  const exchange = await trial.present(missed?.value ?? text, credentialsOf(trial, user), {}, 'refused-credentials');
  if (missed === undefined && exchange.answer !== undefined) trial.subject.answered.add(`nonce ${text}`);
  return { exchange, how: missed === undefined ? `the nonce "${text}", which was never issued,` : `a nonce with ${missed.how}` };
}

export const wrongNonces = law<WrongNonce>('exchange.wrong-nonce-refused', {
  phase: 'wrong-credentials',
  given: ({ protocol }) =>
    fc.record({
      kind: fc.constantFrom('made-up', 'near-miss', 'odd'),
      text: fc.oneof(shaped(protocol.challenge.noncePattern), fc.constantFrom(...oddNonces)),
      recipe: nearMissRecipe,
    }),
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
});
