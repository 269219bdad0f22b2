import { expect, test } from 'vitest';
import { answer, protocol, refusal, resource } from '../../test/messages.js';
import { type Script, scriptedSubject } from '../../test/scripted-subject.js';
import { headerValues, type RequestPlan } from '../../wire/index.js';
import { Combinations } from '../combinations.js';
import { overTime } from '../over-time.js';
import { withWrongCredentials } from '../wrong-credentials.js';

const options = { runs: 0, seed: 1, strength: 2, wanted: () => true } as const;
const has = (plan: RequestPlan, name: string) => headerValues(plan, name).length > 0;
const isStranger = (plan: RequestPlan) =>
  [protocol.headers.token, protocol.headers.nonce, protocol.headers.authorization].every((name) => !has(plan, name));

/** Tries all cases of a target, each at its time, and gives what is told. */
async function told(answers?: Script['answers'], paths?: readonly string[]) {
  const subject = scriptedSubject(answers === undefined ? {} : { answers });
  const combinations = new Combinations(subject, { ...options, ...(paths === undefined ? {} : { paths }) });
  await combinations.atAnyTime();
  await combinations.lookBack();
  await overTime(combinations);
  await withWrongCredentials(combinations);
  const findings = combinations.findings();
  const failed = findings.filter(({ outcome }) => outcome === 'fail');
  return { subject, combinations, findings, failed, sentences: failed.map(({ requirement, expected }) => `${requirement}: ${expected}`) };
}

test('a service that keeps the protocol fails nothing, and every row that can be told holds', async () => {
  const { findings, failed, combinations } = await told();
  expect(failed).toEqual([]);
  expect(findings.every(({ outcome }) => outcome === 'pass')).toBe(true);
  expect(findings.map(({ requirement }) => requirement)).toEqual(
    expect.arrayContaining(['protection.headers', 'protection.methods', 'token.sufficient', 'exchange.status', 'expiry.refused-after']),
  );
  expect(combinations.tuples).toBeGreaterThan(5000);
});

test('one cause is told alone', async () => {
  const { sentences } = await told((plan, usual) => (plan.method === 'HEAD' && has(plan, protocol.headers.token) ? refusal : usual()));
  expect(sentences).toContain('token.sufficient: A valid token is served when the method is HEAD');
  for (const sentence of sentences) expect(sentence).toMatch(/when the method is HEAD$/);
});

test('two causes that only fail together are told together, once', async () => {
  const { sentences, failed } = await told((plan, usual) =>
    isStranger(plan) && plan.method === 'POST' && headerValues(plan, 'X-HTTP-Method-Override')[0] === 'GET' ? resource : usual(),
  );
  expect(sentences).toEqual([
    'protection.headers: A request without credentials is refused when the request has "X-HTTP-Method-Override: GET" and the method is POST, with no token and no resource',
  ]);
  expect(failed[0]).toMatchObject({ about: 'stranger', path: 'nothing | gateway=X-HTTP-Method-Override: GET | method=POST', seed: 1 });
});

test('a failure is found again by its path', async () => {
  const answers: Script['answers'] = (plan, usual) => (isStranger(plan) && plan.target.includes('?debug=1') ? resource : usual());
  const first = await told(answers);
  const paths = first.failed.map(({ path }) => path as string);
  expect(paths).toEqual(['nothing | query=?debug=1']);
  const again = await told(answers, paths);
  expect(again.sentences).toEqual(first.sentences);
  expect(again.subject.sent.length).toBeLessThan(40);
});

test('what comes instead of the challenge is told by a row of its own', async () => {
  const { sentences } = await told((plan, usual) =>
    headerValues(plan, 'Accept')[0] === 'text/html' && isStranger(plan) ? answer(406) : usual(),
  );
  expect(sentences).toEqual([
    'protection.challenge-first: A request without credentials gets the challenge (401) when the request has "Accept: text/html"',
  ]);
});

test('a state that fails without any circumstance is left to the laws and the oracle', async () => {
  const { failed } = await told((plan, usual) =>
    has(plan, protocol.headers.token) && !has(plan, protocol.headers.nonce) ? refusal : usual(),
  );
  expect(failed).toEqual([]);
});

test('a use that prolongs a token in one circumstance is told by that circumstance', async () => {
  const prolonged = new Set<string>();
  const { sentences } = await told((plan, usual) => {
    const [token = ''] = headerValues(plan, protocol.headers.token);
    const came = usual();
    if (plan.target.endsWith(protocol.link.path) && came.status === 200 && token !== '') prolonged.add(token);
    return prolonged.has(token) ? resource : came;
  });
  expect(sentences.filter((each) => each.startsWith('expiry.not-sliding'))).toEqual([
    'expiry.not-sliding: A token is refused after it expired, also when before that the address is the vocabulary',
  ]);
});

test('where nothing can be logged in, only strangers are tried', () => {
  const subject = scriptedSubject();
  subject.facts.noLogin = 'no user is given';
  expect(new Set(new Combinations(subject, options).cases.map(({ state }) => state.about))).toEqual(new Set(['stranger']));
});

test('where no clock can be moved, no age is tried', () => {
  const { cases } = new Combinations(scriptedSubject({ clock: 'none' }), options);
  expect(new Set(cases.map(({ state }) => state.moment))).toEqual(new Set(['any', 'late']));
});

test('only cases that tell what is wanted are tried', () => {
  const { cases } = new Combinations(scriptedSubject(), { ...options, wanted: (rows) => rows.includes('protection.queries') });
  expect(cases.length).toBeGreaterThan(0);
  for (const { state, causes } of cases)
    expect([state.about, causes.some(({ dimension, circumstance }) => /query/.test(`${dimension.name} ${circumstance.id}`))]).toEqual([
      'stranger',
      true,
    ]);
});
