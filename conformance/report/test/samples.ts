import { spec } from '../../../spec/index.js';
import { createRedactor, curlScript, recordChain } from '../../evidence/index.js';
import type { Finding, Observation } from '../../finding.js';
import { answer, exchanged } from '../../test/messages.js';
import type { Exchange, HeaderLine } from '../../wire/index.js';
import { makeReport, type Report, serverTarget, type VerdictInput } from '../index.js';

const baseUrl = new URL('http://127.0.0.1:8080/api');
const token = '9b1d0f6c4f3a4d1c8e0b7a52c6d1e3f4';

type Lines = readonly HeaderLine[];

export function exchange(target: string, sent: Lines, status: number, headers: Lines, body: string): Exchange {
  const came = answer(status, headers, body, status === 200 ? 'OK' : 'Unauthorized');
  return exchanged({ method: 'GET', target, headers: [['Host', '127.0.0.1:8080'], ...sent] }, came, 0, 3);
}

const common: HeaderLine[] = [
  ['Content-Type', 'application/ld+json'],
  ['Link', '<http://127.0.0.1:8080/api/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"'],
  ['Access-Control-Allow-Origin', '*'],
];

export const challenge = exchange(
  '/api/things',
  [],
  401,
  [
    ...common,
    ['WWW-Authenticate', 'Basic realm="Login needed"'],
    ['X-Authentication', '2f1b0c7e-54a0-4d2e-9a3c-0d6f5b8e7a11'],
    ['Content-Length', '43'],
  ],
  '{"401": "Need credentials to authenticate"}',
);
export const login = exchange(
  '/api/things',
  [
    ['X-Authentication', '2f1b0c7e-54a0-4d2e-9a3c-0d6f5b8e7a11'],
    ['Authorization', `Basic ${Buffer.from('1:correct horse').toString('base64')}`],
  ],
  200,
  [...common, ['X-Authorization', token], ['Content-Length', '31']],
  '{"200": "User token generated"}',
);
export const served = exchange(
  '/api/things',
  [['X-Authorization', token]],
  200,
  [...common, ['Content-Length', '74']],
  '{"@context": {}, "@id": "http://127.0.0.1:8080/api/things", "member": []}',
);

const users = [
  { id: '1', paraphrase: 'correct horse' },
  { id: '2', paraphrase: 'battery staple' },
];
const redactor = createRedactor(spec.protocol);
for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
redactor.token(token);

const failures = [
  finding('challenge.www-authenticate', 'fail', {
    check: 'challenge/asks-for-basic',
    expected: 'Basic realm="Login required"',
    actual: 'Basic realm="Login needed"',
    message: 'The realm of the challenge is not the one the protocol names.',
    chain: [challenge],
    seed: 42,
    rate: { failed: 646, of: 646 },
  }),
  finding('expiry.refused-after', 'fail', {
    check: 'expiry/refused-after',
    expected: 'a refusal: no resource and no token',
    actual: 'status 200 and the collection',
    message: 'A token was still accepted 45 minutes and 5 seconds after it was issued.',
    chain: [challenge, login, { advancedMs: 2_705_000 }, { ...served, connection: { number: 7, earlier: 12, latest: [login.request] } }],
    seed: 42,
    given: 'resource',
    rate: { failed: 3, of: 40 },
    path: '3:0:1',
    example: 'the token of user 1, used 2,705 s after issue',
  }),
  finding('expiry.refused-after', 'pass', { check: 'expiry: refused after', engine: 'postman' }),
  finding('exchange.id-spelling', 'fail', {
    check: 'exchange/id-spelling',
    expected: 'a refusal of the user id "01"',
    actual: 'status 200 and a token',
    message: 'Another spelling of the id was accepted as the same user.',
    chain: [challenge, login],
    seed: 42,
    given: 'token',
    rate: { failed: 2, of: 9 },
    path: '0',
  }),
];

const message = 'The token did not expire, so nothing can be said of what follows.';
const untested = ['expiry.for-ever', 'expiry.not-sliding', 'expiry.counted-from-issue'].map((id) =>
  finding(id, 'untested', { check: id.replace('.', '/'), message }),
);

export const observations: Observation[] = [
  {
    requirement: 'challenge.nonce-single-use',
    answer: 'no',
    evidence: 'A nonce that had been exchanged was refused with 401 the second time.',
  },
  { requirement: 'exchange.wrong-credentials-answer', answer: 'the challenge of Step A', evidence: '401 with a new nonce, 4 of 4 times.' },
];

export function finding(requirement: string, outcome: Finding['outcome'], over: Partial<Finding> = {}): Finding {
  return { requirement, check: 'c', engine: 'laws', outcome, ...over };
}

/** Every row that something checks in this mode passes. */
export function cleanFindings(auth: 'on' | 'off' = 'on'): Finding[] {
  return spec.catalogue.requirements
    .filter((row) => row.engines.includes('laws') && (row.auth === auth || row.auth === 'any'))
    .map(({ id }) => finding(id, 'pass', { check: id.replace('.', '/') }));
}

/** The same, but what is said of these rows. */
export function cleanBut(...found: readonly Finding[]): Finding[] {
  return [...cleanFindings().filter(({ requirement }) => !found.some((each) => each.requirement === requirement)), ...found];
}

export const brokenFindings = (): Finding[] => cleanBut(...failures, ...untested);

export function input(over: Partial<VerdictInput> = {}): VerdictInput {
  return {
    spec,
    options: { auth: 'on', seed: 42, runs: 100, baseline: [], strict: false },
    target: serverTarget({
      baseUrl,
      collections: ['things', 'people'],
      users,
      auth: 'on',
      clock: 'http://127.0.0.1:9090/clock',
    }),
    findings: cleanFindings(),
    observations,
    startedAt: new Date('2025-03-04T05:06:07.890Z'),
    durationMs: 8340,
    requests: 1312,
    coverage: { pairs: 8997, combinations: 701, strength: 2 },
    remarks: [],
    engines: ['laws', 'postman'],
    selected: spec.catalogue.rows.map(({ id }) => id),
    record: (chain) => recordChain(chain, { baseUrl, redactor }),
    curl: (chain) => curlScript(chain, { baseUrl, users, protocol: spec.protocol, redactor }),
    redact: redactor.text,
    ...over,
  };
}

export const cleanReport = (): Report => makeReport(input());

/** How many requirements a report of a whole run has. */
export const rows = cleanReport().requirements.length;

export const brokenReport = (): Report =>
  makeReport(
    input({
      findings: brokenFindings(),
      options: {
        ...input().options,
        baseline: [{ requirement: 'challenge.www-authenticate', reason: 'The realm changes with release 4, see the tracker.' }],
      },
      remarks: ['One request was answered with a redirect; it was not followed.'],
    }),
  );

/** The broken report with no baseline. */
export const failingReport = (): Report => makeReport(input({ findings: brokenFindings() }));
