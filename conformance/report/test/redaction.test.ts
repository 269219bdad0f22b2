import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { createRedactor, curlScript, recordChain } from '../../evidence/index.js';
import { fromTarget } from '../../wire/index.js';
import {
  compareReports,
  earlReport,
  htmlReport,
  jsonReport,
  junitReport,
  makeReport,
  markdownReport,
  matrixHtml,
  matrixMarkdown,
  type Report,
  serverTarget,
  terminalReport,
} from '../index.js';
import { cleanFindings, exchange, input } from './samples.js';

const paraphrase = `s3cr:et "wörd" <&>'|`;
const token = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7';
const pair = Buffer.from(`1:${paraphrase}`).toString('base64');
const latinPair = Buffer.from(`1:${paraphrase}`, 'latin1').toString('base64');

/** The secrets as they may stand in a text, whatever quoted or encoded them on the way. */
const planted = [
  paraphrase,
  encodeURIComponent(paraphrase),
  new URLSearchParams({ p: paraphrase }).toString().slice(2),
  JSON.stringify(paraphrase).slice(1, -1),
  Buffer.from(paraphrase).toString('base64'),
  Buffer.from(paraphrase).toString('hex'),
  pair,
  latinPair,
  encodeURIComponent(pair),
  token,
  token.toUpperCase(),
  Buffer.from(token).toString('base64'),
];

const writers: [string, (report: Report) => string][] = [
  ['terminal', (report) => terminalReport(report, { width: 100_000 })],
  ['JSON', jsonReport],
  ['JUnit', junitReport],
  ['EARL', earlReport],
  ['Markdown', markdownReport],
  ['HTML', htmlReport],
  ['comparison in Markdown', (report) => matrixMarkdown(compareReports([{ name: 'a', report }]))],
  ['comparison in HTML', (report) => matrixHtml(compareReports([{ name: 'a', report }]))],
];

/** A run in which everything that a target or an engine can say holds every secret. */
function leakingReport(redacted: boolean): Report {
  const redactor = createRedactor(spec.protocol);
  if (redacted) {
    redactor.user('1', paraphrase);
    redactor.token(token);
  }
  const echoed = planted.join(' ');
  const said = fromTarget(echoed);
  const sent = [
    ['Authorization', `Basic ${pair}`],
    ['X-Authorization', token],
    ['X-Echo', echoed],
  ] as const;
  const chain = [exchange(`/api/things?${planted.map(encodeURIComponent).join('&')}`, sent, 200, [...sent], echoed), { advancedMs: 1000 }];
  const users = [{ id: '1', paraphrase }];
  const baseUrl = new URL('http://127.0.0.1:8080/api');
  return makeReport(
    input({
      target: serverTarget({ baseUrl, users, collections: ['things'], auth: 'on', clock: 'none' }),
      options: { ...input().options, baseline: [{ requirement: 'headers.link', reason: 'known' }] },
      findings: [
        ...cleanFindings().filter(({ requirement }) => !['challenge.status', 'headers.link', 'token.reusable'].includes(requirement)),
        ...['challenge.status', 'headers.link'].map((requirement) => ({
          ...{ requirement, check: 'c', engine: 'laws' as const, outcome: 'fail' as const, chain, seed: 1 },
          ...{ expected: said, actual: said, message: said, path: said, example: said, explains: [{ what: said, count: 2 }] },
        })),
        { requirement: 'token.sufficient', check: 'c', engine: 'laws', outcome: 'pass', restsOn: said },
        { requirement: 'token.reusable', check: 'c', engine: 'laws', outcome: 'untested', message: said },
      ],
      observations: [{ requirement: 'protection.limits', answer: said, evidence: said }],
      remarks: [said],
      error: said,
      record: (links) => recordChain(links, { baseUrl, redactor }),
      curl: (links) => curlScript(links, { baseUrl, users, protocol: spec.protocol, redactor }),
      redact: redactor.sentence,
    }),
  );
}

/** What a reader or a parser of the format sees. */
function decoded(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\u200b', '')
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["\\])/g, '$1');
}

const leaks = (text: string) =>
  planted.filter((secret) => [text, decoded(text), decoded(decoded(text))].some((form) => form.includes(secret)));

test.each(writers)('no secret, in whatever form, is in the %s report', (_, write) => {
  expect(leaks(write(leakingReport(true)))).toEqual([]);
});

test('the search finds secrets that are there', () => {
  expect(leaks(jsonReport(leakingReport(false)))).toEqual(expect.arrayContaining([paraphrase, pair, token]));
  expect(leaks(htmlReport(leakingReport(false)))).toEqual(expect.arrayContaining([paraphrase, pair, token]));
  expect(leaks(markdownReport(leakingReport(false)))).toEqual(expect.arrayContaining([paraphrase, pair, token]));
});
