import { unknownPath } from '../arbitraries/index.js';
import { requestUrl, statusKeyed } from '../expect/index.js';
import { inWords } from '../oracle/index.js';
import { type Role, Untested, Violation } from '../subject/index.js';
import { answerLaw } from './answer-law.js';
import { expands, hasWholeBody, parses, strictJson } from './judgements.js';
import { law } from './law.js';

const everyStep: readonly Role[] = ['challenge', 'exchange', 'use', 'unguarded'];

export const documents = [
  answerLaw('jsonld.parses', everyStep, (answer, { exchange }) => (hasWholeBody(exchange) ? parses(answer) : undefined)),
  answerLaw('jsonld.expands', everyStep, (answer, { exchange, subject }) =>
    hasWholeBody(exchange) ? expands(answer, subject.expander, requestUrl(subject.baseUrl, exchange.request.target)) : undefined,
  ),
  answerLaw('jsonld.strict', everyStep, (answer, { exchange }) => (hasWholeBody(exchange) ? strictJson(answer) : undefined)),
];

export const errors = [
  law<string>('errors.status-keyed', {
    given: () => unknownPath,
    examples: () => ['/no-such-collection'],
    randomCases: (runs) => Math.ceil(runs / 3),
    async judge(trial, path) {
      const exchange = await trial.use(await trial.sharedToken(), { path });
      const answer = trial.answered(exchange);
      if (answer.status < 400) throw new Untested(`a path that should not exist was answered with ${answer.status}`);
      // Of the body of a challenge another row speaks.
      if (answer.status === trial.subject.facts.challengeStatus)
        throw new Untested(`the token was refused (${inWords(exchange, trial.protocol)})`);
      const judgement = statusKeyed(answer, trial.protocol);
      if (!judgement.ok) throw new Violation(judgement.expected, judgement.actual);
    },
  }),
];
