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
      observations: [{ id: 'challenge.nonce-single-use', question: 'Does a nonce open more than once?', answer: 'yes', evidence: '' }],
    },
  },
];

test('stands side by side, requirement by requirement; what was not tested does not differ', () => {
  const { implementations, requirements, observations } = compareReports(reports());
  expect(implementations.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['alpha', 'conformant'],
    ['beta', 'non-conformant'],
  ]);
  expect(requirements.filter(({ differs }) => differs).map(({ id, outcomes }) => [id, ...outcomes])).toEqual([
    ['challenge.www-authenticate', 'pass', 'fail'],
    ['exchange.id-spelling', 'pass', 'warn'],
    ['expiry.refused-after', 'pass', 'fail'],
  ]);
  expect(requirements.find(({ id }) => id === 'expiry.for-ever')).toMatchObject({ outcomes: ['pass', 'untested'], differs: false });
  expect(observations).toEqual([
    {
      id: 'exchange.wrong-credentials-answer',
      question: 'What is the answer to wrong credentials?',
      answers: ['the challenge of Step A', null],
      differs: false,
    },
    { id: 'challenge.nonce-single-use', question: 'Does a nonce open more than once?', answers: ['no', 'yes'], differs: true },
  ]);
});

test('what one report lacks is not judged', () => {
  const { requirements } = compareReports([...reports(), { name: 'gamma', report: { ...cleanReport(), requirements: [] } }]);
  expect(requirements[0]).toMatchObject({ outcomes: ['pass', 'pass', null], differs: false });
});

test('Markdown marks the rows that differ', () => {
  const text = matrixMarkdown(compareReports(reports()));
  expect(text).toContain('| differs | challenge.www-authenticate | MUST | Step A: challenge | passed | **failed** |');
  expect(text).toContain('|  | challenge.status | MUST | Step A: challenge | passed | passed |');
  expect(text).toContain('| differs | Does a nonce open more than once? | no | yes |');
});

test('names and answers are escaped', () => {
  const matrix = compareReports([{ name: hostile, report: hostileReport() }]);
  expect(matrixHtml(matrix)).not.toMatch(/<script>globalThis|<img|<svg onload/);
  expect(matrixMarkdown(matrix)).not.toMatch(/<script|@octocat|```/);
});
