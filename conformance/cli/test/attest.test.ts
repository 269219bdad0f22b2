import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profileOf, spec } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import type { Report } from '../../report/index.js';
import { cleanReport, failingReport } from '../../report/test/samples.js';
import { calling } from './calling.js';

const file = join(scratch(), 'report.json');
const sha256 = 'ab'.repeat(32);
async function attested(report: Report) {
  writeFileSync(file, JSON.stringify(report));
  const { code, out, err } = await calling(['attest', file, '--subject', `ghcr.io/me/api@sha256:${sha256}`]);
  return { code, err, statement: code === 0 ? JSON.parse(out) : undefined };
}
/** The same report with this outcome for every requirement that can be checked and this one not. */
const all = (report: Report, outcome: 'pass' | 'untested', but: string[] = []): Report => ({
  ...report,
  verdict: 'conformant',
  requirements: report.requirements.map((each) => ({ ...each, outcome: each.uncheckable || but.includes(each.id) ? 'untested' : outcome })),
});

test('a statement names the subject, the result, and by which kit, profile and catalogue it came about', async () => {
  const { statement } = await attested(all(cleanReport(), 'pass'));
  const hex = (digest: string) => Buffer.from(digest, 'base64url').toString('hex');
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'ghcr.io/me/api', digest: { sha256 } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: { result: 'PASSED', failedTests: [], warnedTests: [] },
  });
  const [kit, profile, catalogue, report] = statement.predicate.configuration;
  expect(kit.uri).toMatch(/^pkg:npm\/hydrauth@\d/);
  expect([profile.digest.sha256, catalogue.digest.sha256]).toEqual([hex(profileOf(spec).digest), hex(profileOf(spec).catalogue)]);
  expect(report.digest.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'));
});

test('it is never PASSED while a MUST is untested or skipped, and never more than the verdict', async () => {
  const must = spec.catalogue.requirements.find(({ level }) => level === 'MUST')?.id as string;
  const resultOf = async (report: Report) => (await attested(report)).statement?.predicate.result;
  expect(await resultOf(all(cleanReport(), 'pass', [must]))).toBe('WARNED');
  expect(await resultOf({ ...all(cleanReport(), 'pass'), skipped: [must] })).toBe('WARNED');
  expect(await resultOf(failingReport())).toBe('FAILED');
  const { code, err } = await attested({ ...all(cleanReport(), 'pass'), verdict: 'incomplete' });
  expect([code, err]).toEqual([2, expect.stringContaining('nothing to attest')]);
});

test.each([[[]], [['--subject', 'api']], [['--subject', 'api@sha256:12']]])('a call with %j is wrong', async (words) => {
  expect(await calling(['attest', file, ...words])).toMatchObject({ code: 2, err: expect.stringContaining('NAME@sha256:HEX') });
});
