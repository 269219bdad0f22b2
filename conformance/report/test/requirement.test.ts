import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import type { Finding } from '../../finding.js';
import { makeReport, type ReportRequirement } from '../index.js';
import { challenge, cleanFindings, finding, input } from './samples.js';

const row = (id: string, findings: readonly Finding[], over: Parameters<typeof input>[0] = {}): ReportRequirement => {
  const report = makeReport(input({ findings, ...over }));
  return report.requirements.find((each) => each.id === id) as ReportRequirement;
};

describe('the outcome of a requirement', () => {
  test('a MUST that failed is a failure, a SHOULD a warning', () => {
    expect(row('challenge.status', [finding('challenge.status', 'fail')]).outcome).toBe('fail');
    expect(row('headers.date-format', [finding('headers.date-format', 'fail')]).outcome).toBe('warn');
  });

  test('one failing check outweighs any number of passing ones', () => {
    const findings = [finding('challenge.status', 'pass'), finding('challenge.status', 'fail'), finding('challenge.status', 'pass')];
    expect(row('challenge.status', findings).outcome).toBe('fail');
  });

  test('a passing check outweighs untested ones', () => {
    const findings = [finding('challenge.status', 'untested', { message: 'No.' }), finding('challenge.status', 'pass')];
    expect(row('challenge.status', findings)).toMatchObject({ outcome: 'pass' });
  });

  test('untested says why, each reason once', () => {
    const why = finding('expiry.not-sliding', 'untested', { message: 'There is no clock.' });
    expect(row('expiry.not-sliding', [why, why])).toMatchObject({ outcome: 'untested', reason: 'There is no clock.' });
  });

  test('what no check spoke of is untested', () => {
    const spoken = row('token.reusable', [], { engines: ['postman'] });
    expect(spoken).toMatchObject({ outcome: 'untested', reason: 'No check of the engines that ran covers it (postman).' });
    expect(row('token.reusable', [], { interrupted: true }).reason).toBe('The run ended before it was checked.');
  });

  test('what nothing can check is untested by nature', () => {
    const { unchecked } = spec.catalogue.requirement('config.users');
    expect(row('config.users', [])).toMatchObject({ outcome: 'untested', reason: unchecked, uncheckable: true });
  });

  test('a failure of the baseline is known, with its reason', () => {
    const baseline = [{ requirement: 'challenge.status', reason: 'Mended in May.' }];
    const known = row('challenge.status', [finding('challenge.status', 'fail')], { options: { ...input().options, baseline } });
    expect(known).toMatchObject({ outcome: 'known-failure', reason: 'Mended in May.' });
  });

  test('engines that disagree are named', () => {
    const findings = [finding('challenge.status', 'fail', { engine: 'postman' }), finding('challenge.status', 'pass')];
    expect(row('challenge.status', findings).disagreement).toContain('Found by the Postman collection only, and not by the laws');
    const agreeing = [
      finding('challenge.status', 'fail', { engine: 'postman' }),
      finding('challenge.status', 'fail'),
      finding('challenge.status', 'pass'),
    ];
    expect(row('challenge.status', agreeing).disagreement).toBeUndefined();
  });

  test('only rows of the mode and of the selection are there', () => {
    const off = makeReport(input({ options: { ...input().options, auth: 'off' }, findings: cleanFindings('off') }));
    expect(off.requirements.map(({ id }) => id)).toContain('off.served');
    expect(off.requirements.map(({ id }) => id)).not.toContain('challenge.status');
    const few = makeReport(input({ selected: ['challenge.status', 'off.served'] }));
    expect(few.requirements.map(({ id }) => id)).toEqual(['challenge.status']);
  });

  test('a requirement that the catalogue lacks throws, and so does a judged open point', () => {
    expect(() => makeReport(input({ findings: [finding('challenge.colour', 'pass')] }))).toThrow(
      'there is no requirement challenge.colour',
    );
    expect(() => makeReport(input({ findings: [finding('expiry.instant', 'pass')] }))).toThrow('expiry.instant as a MUST or SHOULD');
    expect(() => makeReport(input({ observations: [{ requirement: 'challenge.status', answer: 'a', evidence: 'e' }] }))).toThrow(
      'does not list it as open',
    );
  });

  test('chain and curl belong to failures; texts of the run pass through redaction', () => {
    const findings = [
      finding('challenge.status', 'fail', { chain: [challenge], actual: 'secret', message: 'secret', path: 'secret', example: 'secret' }),
    ];
    const failed = row('challenge.status', findings, { redact: (text) => text.replaceAll('secret', '***') });
    expect(failed.checks[0]).toMatchObject({
      actual: '***',
      message: '***',
      path: '***',
      example: '***',
      curl: expect.stringContaining('curl'),
    });
    expect(failed.checks[0]?.exchanges).toHaveLength(1);
    expect(row('challenge.status', [finding('challenge.status', 'pass', { chain: [challenge] })]).checks[0]).toMatchObject({
      exchanges: [],
      curl: null,
    });
  });
});
