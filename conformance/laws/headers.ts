import fc from 'fast-check';
import * as expect from '../expect/index.js';
import { isGranted } from '../oracle/index.js';
import { knownPaths, type Role, Violation } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';
import { answerLaw } from './answer-law.js';
import { law } from './law.js';

const everyStep: readonly Role[] = ['challenge', 'exchange', 'use', 'unguarded'];

/** A service may believe a gateway that says under which address it is known. */
const saysItsAddress = ({ request }: Exchange) =>
  request.headers.some(([name]) => /^(host|forwarded|via|x-forwarded-.*|x-(original|rewrite)-url)$/i.test(name));

/** What HEAD says of the length is what GET would send (RFC 9110, section 8.6). */
export const headLengths = law<string>('headers.content-length', {
  name: 'of-head',
  given: (subject) => fc.constantFrom(...knownPaths(subject)),
  examples: (subject) => knownPaths(subject),
  randomCases: () => 0,
  async judge(trial, path) {
    const { facts } = trial.subject;
    const shared = facts.off ? undefined : await trial.sharedToken();
    const lengthOf = async (method: string) => {
      const exchange = await (shared === undefined ? trial.send({ path, method }) : trial.use(shared, { path, method }));
      if (method === 'GET') trial.expectServedAsControl(exchange);
      return isGranted(exchange, trial.protocol)
        ? headerValues(trial.answered(exchange), trial.protocol.headers.contentLength)[0]
        : undefined;
    };
    const [before, head, after] = [await lengthOf('GET'), await lengthOf('HEAD'), await lengthOf('GET')];
    // HEAD need not state a length, and not every service has it; a resource that changes has no one length.
    if (head !== undefined && head !== before && before === after && before !== undefined)
      throw new Violation(`HEAD ${path} states the length that GET has, ${before}`, head);
  },
});

export const headers = [
  answerLaw('headers.content-type', everyStep, (answer, { subject }) => expect.contentType(answer, subject.protocol)),
  answerLaw('headers.link', everyStep, (answer, { subject, exchange }) =>
    saysItsAddress(exchange) ? undefined : expect.link(answer, subject.protocol, subject.baseUrl, exchange.request.target),
  ),
  answerLaw('headers.allow-origin', everyStep, (answer, { subject }) => expect.allowOrigin(answer, subject.protocol)),
  answerLaw('headers.content-length', everyStep, ({ isDecoded }, { subject, exchange }) =>
    isDecoded === true ? undefined : expect.contentLength(exchange, subject.protocol),
  ),
  answerLaw('headers.date', everyStep, (answer, { subject }) => expect.date(answer, subject.protocol)),
  answerLaw('headers.date-format', everyStep, (answer, { subject }) =>
    expect.date(answer, subject.protocol).ok ? expect.dateFormat(answer, subject.protocol) : undefined,
  ),
  answerLaw('headers.not-repeated', everyStep, (answer, { subject }) => expect.notRepeated(answer, subject.protocol)),
];
