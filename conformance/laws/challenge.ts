import fc from 'fast-check';
import * as expect from '../expect/index.js';
import { nonceOf } from '../expect/index.js';
import { inWords } from '../oracle/index.js';
import { guardedPaths, Violation } from '../subject/index.js';
import { fromTarget } from '../wire/index.js';
import { answerLaw } from './answer-law.js';
import { hasWholeBody } from './judgements.js';
import { law } from './law.js';
import { once } from './once.js';

export const challengeAnswers = [
  answerLaw('challenge.www-authenticate', ['challenge'], (answer, { subject }) => expect.authenticate(answer, subject.protocol)),
  answerLaw('challenge.nonce', ['challenge'], (answer, { subject }) => expect.nonce(answer, subject.protocol)),
  answerLaw('challenge.nonce-shape', ['challenge'], (answer, { subject }) =>
    nonceOf(answer, subject.protocol) === undefined ? undefined : expect.nonceShape(answer, subject.protocol),
  ),
  answerLaw('challenge.body', ['challenge'], (answer, { subject, exchange }) =>
    hasWholeBody(exchange) ? expect.member(answer, subject.protocol.challenge.body) : undefined,
  ),
  once('challenge.nonce-newly-issued', 'nonce', 'challenge', (answer, protocol) => nonceOf(answer, protocol)),
];

export const challenge = [
  law('challenge.status', {
    given: () => fc.constantFrom('GET', 'HEAD'),
    examples: () => ['GET', 'HEAD'],
    async judge(trial, method) {
      const exchange = await trial.stranger({ method });
      trial.inTime(exchange);
      const { status } = trial.protocol.challenge;
      if (exchange.answer?.status !== status)
        throw new Violation(`a read without credentials is answered with ${status}`, inWords(exchange, trial.protocol));
    },
  }),
  law('challenge.nonce-newly-issued', {
    name: 'burst',
    given: (subject) => fc.record({ path: fc.constantFrom(...guardedPaths(subject)), size: fc.integer({ min: 8, max: 16 }) }),
    examples: (subject) => [{ path: guardedPaths(subject)[0], size: 20 }],
    randomCases: (runs) => Math.floor(runs / 20),
    async judge(trial, { path, size }) {
      const exchanges = await Promise.all(Array.from({ length: size }, () => trial.stranger({ path })));
      const seen = new Map<string, (typeof exchanges)[number]>();
      for (const exchange of exchanges) {
        const nonce = nonceOf(trial.message(exchange, 'challenge'), trial.protocol);
        if (nonce === undefined) continue;
        const earlier = seen.get(nonce);
        if (earlier !== undefined)
          throw new Violation('every challenge carries a new nonce', `${fromTarget(nonce)} in two of ${size} simultaneous challenges`, [
            earlier,
            exchange,
          ]);
        seen.set(nonce, exchange);
      }
    },
  }),
];
