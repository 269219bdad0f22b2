import { type Protocol, spec } from '../../spec/index.js';
import { unknownPath } from '../arbitraries/index.js';
import * as expect from '../expect/index.js';
import { bad, good, type Judgement, readBody, requestUrl } from '../expect/index.js';
import { inWords, isGranted } from '../oracle/index.js';
import { knownPaths, type Role, Untested, Violation } from '../subject/index.js';
import { type Answer, type Exchange, fromTarget, headerValues } from '../wire/index.js';
import { type AnswerLaw, answerLaw, chosen, law, type View } from './law.js';

const everyStep: readonly Role[] = ['challenge', 'exchange', 'use', 'unguarded'];

/** Looks at an answer by the protocol alone. */
export const by =
  (look: (answer: Answer, protocol: Protocol) => Judgement | undefined): AnswerLaw['look'] =>
  (answer, { subject }) =>
    look(answer, subject.protocol);

/** Looks at a body that is whole. One that was cut short or is too long is told by the law about its length alone. */
export const ofBody =
  (look: AnswerLaw['look']): AnswerLaw['look'] =>
  (answer, view) => {
    const { request, problem } = view.exchange;
    return request.method === 'HEAD' || answer.status === 204 || answer.status === 206 || problem !== undefined
      ? undefined
      : look(answer, view);
  };

/** A service may believe a gateway that says under which address it is known. */
const saysItsAddress = ({ request }: Exchange) =>
  request.headers.some(([name]) => /^(host|forwarded|via|x-forwarded-.*|x-(original|rewrite)-url)$/i.test(name));

/** Rows that require a header with one value; the responses that carry it stand in the OpenAPI document. */
const fixedHeaders = spec.catalogue.requirements.flatMap(({ id, header }) =>
  header === undefined
    ? []
    : answerLaw(id, everyStep, (answer, { role, subject: { protocol } }) => {
        const { name, value, on } = protocol.fixed[header] ?? {};
        if (name === undefined || value === undefined) return undefined;
        return on?.includes(role === 'challenge' ? 'Challenge' : 'CollectionGranted') ? expect.headerIs(answer, name, value) : undefined;
      }),
);

export const headers = [
  ...fixedHeaders,
  answerLaw('headers.content-type', everyStep, by(expect.contentType)),
  answerLaw('headers.link', everyStep, (answer, { subject, exchange }) =>
    saysItsAddress(exchange) ? undefined : expect.link(answer, subject.protocol, subject.baseUrl, exchange.request.target),
  ),
  answerLaw('headers.content-length', everyStep, ({ isDecoded }, { subject, exchange }) => {
    const judgement = expect.contentLength(exchange, subject.protocol);
    // Without its coding a body shows only that no length was stated.
    return isDecoded === true && judgement.ok ? undefined : judgement;
  }),
  answerLaw('headers.date', everyStep, by(expect.date)),
  answerLaw(
    'headers.date-format',
    everyStep,
    by((answer, protocol) => (expect.date(answer, protocol).ok ? expect.dateFormat(answer, protocol) : undefined)),
  ),
  answerLaw('headers.not-repeated', everyStep, by(expect.notRepeated)),
];

function parses(answer: Answer): Judgement | undefined {
  const { problem, isUnread } = readBody(answer);
  if (isUnread) return undefined;
  return problem === undefined ? good : bad('a body of JSON in UTF-8', problem);
}

/** A body that does not parse is told of elsewhere; a context that nobody may fetch says nothing. */
async function expands(answer: Answer, { subject, exchange }: View): Promise<Judgement | undefined> {
  const { problem, value } = readBody(answer);
  if (problem !== undefined) return undefined;
  const result = await subject.expander.expand(value, requestUrl(subject.baseUrl, exchange.request.target));
  if (result.ok) return good;
  return result.judgeable ? bad('a body that expands as JSON-LD', result.problem) : undefined;
}

function strictJson(answer: Answer): Judgement | undefined {
  const { problem, duplicates, bom } = readBody(answer);
  if (problem !== undefined) return undefined;
  if (bom) return bad('JSON without a byte-order mark', 'a byte-order mark before the body');
  return duplicates.length === 0
    ? good
    : bad('no duplicate member names', `${fromTarget(duplicates.slice(0, 5).join(', '))} more than once`);
}

export const documents = [
  answerLaw('jsonld.parses', everyStep, ofBody(parses)),
  answerLaw('jsonld.expands', everyStep, ofBody(expands)),
  answerLaw('jsonld.strict', everyStep, ofBody(strictJson)),
];

/** What HEAD says of the length is what GET would send (RFC 9110, section 8.6). */
export const headLengths = chosen<string>('headers.content-length', {
  name: 'of-head',
  examples: knownPaths,
  async judge(trial, path) {
    const shared = trial.subject.facts.off ? undefined : await trial.sharedToken();
    const lengthOf = async (method: string) => {
      const exchange = await (shared === undefined ? trial.send({ path, method }) : trial.use(shared, { path, method }));
      if (method === 'GET') trial.expectServedAsControl(exchange);
      return isGranted(exchange, trial.protocol)
        ? headerValues(trial.answered(exchange), trial.protocol.headers.contentLength)[0]
        : undefined;
    };
    const [length, head] = [await lengthOf('GET'), await lengthOf('HEAD')];
    // HEAD need not state a length, and not every service has it.
    if (length === undefined || head === undefined || head === length) return;
    // A resource that changes, or differs from one replica to the next, has no one length.
    for (let times = 0; times < 6; times += 1) if ((await lengthOf('GET')) !== length || (await lengthOf('HEAD')) !== head) return;
    throw new Violation(`HEAD ${path} states the length that GET has, ${length}`, head);
  },
});

export const errors = law<string>('errors.status-keyed', {
  given: () => unknownPath,
  examples: () => ['/no-such-collection'],
  async judge(trial, path) {
    const exchange = await trial.use(await trial.sharedToken(), { path });
    const answer = trial.answered(exchange);
    if (answer.status < 400) throw new Untested(`a path that should not exist was answered with ${answer.status}`);
    // Of the body of a challenge another row speaks.
    if (answer.status === trial.subject.facts.challengeStatus)
      throw new Untested(`the token was refused (${inWords(exchange, trial.protocol)})`);
    const judgement = expect.statusKeyed(answer, trial.protocol);
    if (!judgement.ok) throw new Violation(judgement.expected, judgement.actual);
  },
});
