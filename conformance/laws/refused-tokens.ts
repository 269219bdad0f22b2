import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import {
  everyNearMissRecipe,
  everyPartChanged,
  type NearMissRecipe,
  nearMiss,
  nearMissRecipe,
  oddOctet,
  shaped,
} from '../arbitraries/index.js';
import { grantOf, inWords } from '../ledger/index.js';
import { Untested, Violation } from '../subject/index.js';
import { law } from './law.js';
import { workingToken } from './working-token.js';

export const oddTokens = [
  '',
  '0',
  'null',
  'undefined',
  'true',
  'constructor',
  '__proto__',
  '.',
  '*',
  '%',
  '.*',
  '0'.repeat(32),
  '0'.repeat(64),
  'f'.repeat(64),
  '..',
  "' OR '1'='1",
  '{}',
  'a'.repeat(300),
  oddOctet,
];

const mistakes = ['nonce as token', 'token as nonce', 'token as bearer', 'token as credentials'] as const;

export const refusedTokens = [
  law<{ text: string; recipe: NearMissRecipe; near: boolean }>('token.unknown-refused', {
    randomCases: (runs) => Math.ceil(runs / 10),
    given: ({ protocol }) =>
      fc.record({
        text: fc.oneof(shaped(protocol.exchange.tokenPattern), fc.constantFrom(...oddTokens)),
        recipe: nearMissRecipe,
        near: fc.boolean(),
      }),
    examples: ({ protocol }) => [
      ...[...oddTokens, madeUp(protocol.exchange.tokenPattern)].map((text) => ({ text, recipe: { kind: 0, at: 0 }, near: false })),
      ...[...everyPartChanged, ...everyNearMissRecipe.slice(1)].map((recipe) => ({ text: '', recipe, near: true })),
    ],
    async judge(trial, { text, recipe, near }) {
      const issued = await trial.subject.sharedToken();
      trial.chain.push(...issued.chain);
      const missed = near ? nearMiss(issued.value, recipe) : undefined;
      if (near && missed === undefined) throw new Untested('the changed token is the same token');
      // Where tokens are a sequence, it may be another one that was issued.
      if (trial.subject.ledger.hasIssued(missed?.value ?? text)) throw new Untested('the changed token is another token that was issued');
      if (missed !== undefined) trial.subject.redactor.token(missed.value, `token with ${missed.how}`);
      else trial.chain.length = 0;
      const exchange = await trial.use(missed?.value ?? text, {}, 'refused-token');
      if (exchange.answer !== undefined) trial.subject.answered.add(missed?.value ?? text);
      trial.expectRefused(exchange, missed === undefined ? 'a token that was never issued' : `a token with ${missed.how}`);
    },
  }),
  law<(typeof mistakes)[number]>('token.only-in-its-header', {
    given: () => fc.constantFrom(...mistakes),
    examples: () => mistakes,
    randomCases: () => 2,
    async judge(trial, mistake) {
      const issued = await workingToken(trial);
      const { authorization, nonce: nonceHeader } = trial.protocol.headers;
      const send = async () => {
        if (mistake === 'nonce as token') return trial.use((await trial.challenge()).value);
        if (mistake === 'token as nonce') return trial.send({ headers: [[nonceHeader, issued.value]] });
        if (mistake === 'token as bearer') return trial.send({ headers: [[authorization, `Bearer ${issued.value}`]] });
        return trial.send({ headers: [[authorization, `${trial.protocol.challenge.scheme} ${issued.value}`]] });
      };
      const exchange = await send();
      const answer = trial.answered(exchange);
      if (grantOf(answer, trial.protocol) !== 'nothing')
        throw new Violation(`a ${mistake} opens nothing`, inWords(exchange, trial.protocol));
    },
  }),
];
