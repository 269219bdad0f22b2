import { expect, test } from 'vitest';
import { compareReports, matrixHtml, matrixMarkdown } from '../index.js';
import { hostile, hostileReport } from './hostile.js';
import { cleanReport, failingReport } from './samples.js';

const reports = () => [
  { name: 'alpha', report: cleanReport() },
  {
    name: 'beta',
    report: {
      ...failingReport(),
      observations: [{ id: 'challenge.nonce-single-use', question: 'Can a nonce be used more than once?', answer: 'yes', evidence: '' }],
    },
  },
];

test('stands side by side, requirement by requirement; what was not tested does not differ', () => {
  const { columns, requirements, observations } = compareReports(reports());
  expect(columns.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['alpha', 'conformant'],
    ['beta', 'non-conformant'],
  ]);
  expect(requirements.filter(({ differs }) => differs).map(({ id, outcomes }) => [id, ...outcomes])).toEqual([
    ['challenge.www-authenticate', 'pass', 'fail'],
    ['expiry.refused-after', 'pass', 'fail'],
    ['exchange.id-spelling', 'pass', 'warn'],
  ]);
  expect(requirements.find(({ id }) => id === 'expiry.for-ever')).toMatchObject({ outcomes: ['pass', 'untested'], differs: false });
  expect(observations).toEqual([
    {
      id: 'exchange.wrong-credentials-answer',
      question: 'What is the answer to wrong credentials?',
      answers: ['the challenge of Step A', null],
      differs: false,
    },
    { id: 'challenge.nonce-single-use', question: 'Can a nonce be used more than once?', answers: ['no', 'yes'], differs: true },
  ]);
});

test('what one report lacks is not judged', () => {
  const { requirements } = compareReports([...reports(), { name: 'gamma', report: { ...cleanReport(), requirements: [] } }]);
  expect(requirements.at(-1)).toMatchObject({ outcomes: ['untested', 'untested', null], differs: false });
});

test('Markdown marks the rows that differ, those first that are violated, and says by how many', () => {
  const text = matrixMarkdown(compareReports(reports()));
  expect(text).toContain('| differs | challenge.www-authenticate | MUST | Step A: challenge | 1 of 2 | passed | **failed** |');
  expect(text).toContain('|  | challenge.status | MUST | Step A: challenge |  | passed | passed |');
  expect(text).toContain('| differs | Can a nonce be used more than once? | no | yes |');
});

test('names and answers are escaped', () => {
  const matrix = compareReports([{ name: hostile, report: hostileReport() }]);
  expect(matrixHtml(matrix)).not.toMatch(/<script>globalThis|<img|<svg onload/);
  expect(matrixMarkdown(matrix)).not.toMatch(/<script|@octocat|```/);
});

test('services and clients are not mixed', () => {
  const [service] = reports() as [ReturnType<typeof reports>[0]];
  const client = { ...service.report, target: { ...service.report.target, client: { way: 'driver' as const, name: 'app' } } };
  expect(() => compareReports([service, { name: 'app.json', report: client }])).toThrow(
    'app.json: this is the report of a client, and alpha that of a service; compare services with services, and clients with clients',
  );
  expect(compareReports([{ name: 'app.json', report: client }]).title).toBe('1 client side by side');
});
