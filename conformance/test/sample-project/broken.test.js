import { everyAnswer, mapHeader, startReferenceServer, withBody } from 'hydrauth/reference-server';
import { describeConformance } from 'hydrauth/vitest';
import { afterAll, beforeAll } from 'vitest';

/** Says something else in its challenge, with a control character in it, and writes its Date in another form. */
const parts = (parts) => {
  const answers = everyAnswer(parts.answers, (answer) => mapHeader(answer, 'Date', (date) => new Date(date).toISOString()));
  const challenge = (...given) => withBody(answers.challenge(...given), '{"401": "Who are you\x1b"}', 'Content-Length');
  return { ...parts, answers: { ...answers, challenge } };
};

let server;
beforeAll(async () => {
  server = await startReferenceServer({ parts, users: [{ id: 1, paraphrase: 'secret-of-one' }], collections: ['people'] });
});
afterAll(() => server.close());

const target = async () => ({ baseUrl: server.url, collections: ['people'], users: ['1:secret-of-one'] });
const some = { engine: 'laws', seed: 1, runs: 2, only: ['challenge.status', 'challenge.body', 'headers.date-format', 'expiry.refused'] };

describeConformance({ ...some, name: 'a broken server', target });

describeConformance({ ...some, name: 'strictly', strict: true, target });

describeConformance({
  ...some,
  name: 'with a baseline',
  baseline: [
    { requirement: 'challenge.body', reason: 'Mended next week.' },
    { requirement: 'challenge.status', reason: 'Was mended last week.' },
  ],
  target,
});

describeConformance({ ...some, name: 'nobody there', baseUrl: 'http://127.0.0.1:1', collections: ['people'], users: ['1:secret-of-one'] });

describeConformance({ ...some, name: 'a target that gives too much', target: () => ({ strict: true }) });
