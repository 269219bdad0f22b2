import { expect, test } from 'vitest';
import { loadSpec, packageFile, profileOf, spec } from '../../../spec/index.js';
import * as room from '../index.js';
import { brokenFindings, cleanReport, failingReport, input } from './samples.js';

const { earlReport, htmlReport, makeReport, markdownReport, newEntries, terminalReport } = room;
const other = loadSpec(packageFile('spec', 'example.overlay.yaml'));
const otherReport = () => makeReport(input({ spec: other, findings: brokenFindings() }));
const { digest, catalogue, title } = profileOf(other);

test('a report names its profile by title, version and digests', () => {
  const { nonce, token, authenticate } = other.protocol.headers;
  expect(otherReport().profile).toEqual({ ...profileOf(other), headers: [nonce, token, authenticate] });
  expect(cleanReport().profile?.digest).toBe(profileOf(spec).digest);
  // Markdown has an entity for the underscore, which a digest may hold.
  const markdown = markdownReport(otherReport()).replaceAll('&#95;', '_');
  for (const text of [terminalReport(otherReport(), { width: 400 }), markdown, htmlReport(otherReport())]) {
    expect(text).toContain(title);
    expect(text).toContain(digest.slice(0, 8));
    expect(text).toContain(catalogue.slice(0, 8));
  }
});

test('a comparison says which reports were made under another profile', () => {
  const matrix = room.compareReports([
    { name: 'alpha', report: cleanReport() },
    { name: 'beta', report: otherReport() },
    { name: 'gamma', report: failingReport() },
  ]);
  expect(matrix.profiles).toEqual([expect.stringMatching(/^beta was judged under another profile than alpha: .*company.*, not /)]);
  for (const text of [room.matrixMarkdown(matrix), room.matrixHtml(matrix)])
    expect(text).toContain('beta was judged under another profile');
});

test('entries for a baseline name a profile that is not the own one', () => {
  expect(newEntries(otherReport())).toEqual(
    expect.arrayContaining([expect.objectContaining({ requirement: 'expiry.refused-after', profile: digest })]),
  );
  expect(JSON.stringify(newEntries(failingReport()))).not.toContain('profile');
});

test('a run says so when its baseline was accepted under another profile', () => {
  const baseline = [{ requirement: 'challenge.www-authenticate', reason: 'Known.', profile: digest }];
  const remarks = (judgedBy: typeof spec) =>
    makeReport(input({ spec: judgedBy, findings: brokenFindings(), options: { ...input().options, baseline } })).remarks;
  expect(remarks(spec)).toContainEqual(expect.stringContaining('accepts challenge.www-authenticate under another profile'));
  expect(remarks(other)).toEqual([]);
});

test('EARL does not say of what was not judged what another profile says', () => {
  const skipped = makeReport(input({ spec: other, selected: ['headers.date'] }));
  expect(earlReport(skipped)).toContain('expiry.valid-until');
  expect(earlReport(skipped)).not.toContain('45 minutes');
  expect(earlReport(makeReport(input({ selected: ['headers.date'] })))).toContain('45 minutes');
});
