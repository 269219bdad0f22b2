import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import { knownPaths, type Sending, Violation } from '../subject/index.js';
import { law } from './law.js';

/** Laws about a deployment whose authentication is switched off. */
export const off = [
  law<string>('off.served', {
    given: (subject) => fc.constantFrom(...knownPaths(subject)),
    examples: (subject) => knownPaths(subject),
    async judge(trial, path) {
      trial.expectServed(await trial.send({ path }, 'unguarded'), `GET ${path} without credentials`);
    },
  }),
  law<Sending>('off.no-challenge', {
    given: (subject) => fc.record({ path: fc.constantFrom(...knownPaths(subject)) }),
    examples: (subject) => {
      const { headers, challenge, exchange } = subject.protocol;
      return [
        ...knownPaths(subject).map((path) => ({ path })),
        { headers: [[headers.token, madeUp(exchange.tokenPattern)]] },
        {
          headers: [
            [headers.nonce, madeUp(challenge.noncePattern)],
            [headers.authorization, basic(challenge.scheme, '1', 'x')],
          ],
        },
      ];
    },
    async judge(trial, sending) {
      const exchange = await trial.send(sending);
      const answer = trial.answered(exchange);
      const { headers, challenge } = trial.protocol;
      if (answer.status === challenge.status) throw new Violation('nothing is challenged', `${answer.status}`);
      if (nonceOf(answer, trial.protocol) !== undefined) throw new Violation('no nonce is issued', `a nonce in ${headers.nonce}`);
      if (tokenOf(answer, trial.protocol) !== undefined) throw new Violation('no token is issued', `a token in ${headers.token}`);
    },
  }),
];
