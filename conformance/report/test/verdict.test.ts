import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import type { Finding } from '../../finding.js';
import { exitCode, makeReport } from '../index.js';
import { brokenReport, cleanBut, cleanFindings, failingReport, finding, input } from './samples.js';

const without = (...ids: string[]) => cleanFindings().filter(({ requirement }) => !ids.includes(requirement));

describe('the verdict and its exit code', () => {
  test('a violated MUST ends in 1, whatever else happened', () => {
    // Also beside a failure that the baseline accepts.
    for (const report of [failingReport(), brokenReport()]) expect([report.verdict, exitCode(report)]).toEqual(['non-conformant', 1]);
    const cut = makeReport(input({ findings: [finding('challenge.nonce', 'fail')], error: 'Nobody can log in.' }));
    expect(cut).toMatchObject({ verdict: 'non-conformant', error: 'Nobody can log in.' });
    expect(exitCode(makeReport(input({ findings: [finding('challenge.nonce', 'fail')], interrupted: true })))).toBe(1);
  });

  test('a warning and an untested MUST end in 1 only in a strict run', () => {
    const warned = makeReport(input({ findings: cleanBut(finding('headers.date-format', 'fail')) }));
    const untested = makeReport(input({ findings: without('expiry.valid-until') }));
    const untestedShould = makeReport(input({ findings: without('headers.date-format') }));
    expect([warned, untested, untestedShould].map((report) => exitCode(report))).toEqual([0, 0, 0]);
    expect([warned, untested, untestedShould].map((report) => exitCode(report, { strict: true }))).toEqual([1, 1, 0]);
  });

  test('a baseline entry whose requirement passes fails the run and is said; one that was not tested does not', () => {
    const baseline = [{ requirement: 'challenge.status', reason: 'Known.' }];
    const options = { ...input().options, baseline };
    const stale = makeReport(input({ options }));
    expect(stale.staleBaseline).toEqual(['challenge.status']);
    expect(stale.remarks).toContain(
      'The baseline lists challenge.status, which now passes. Remove its entry: a stale entry fails the run.',
    );
    expect(exitCode(stale)).toBe(1);
    const past = baseline.map((entry) => ({ ...entry, until: '2001-01-01' }));
    expect(makeReport(input({ options: { ...options, baseline: past } })).remarks).toEqual(stale.remarks);
    expect(exitCode(makeReport(input({ options, findings: without('challenge.status') })))).toBe(0);
  });

  describe('too much untested', () => {
    const musts = spec.catalogue.requirements.filter((row) => row.level === 'MUST' && row.auth !== 'off' && row.engines.length > 0);
    const third = Math.floor(musts.length / 3);
    const hindered = (count: number, through?: Finding['through'], more: readonly Finding[] = [], isLimited = true) => {
      const ids = musts.slice(0, count).map(({ id }) => id);
      const untested = ids.map((id) => finding(id, 'untested', { message: 'Limited.', ...(through === undefined ? {} : { through }) }));
      return makeReport(
        input({
          findings: cleanBut(...untested, ...more),
          ...(isLimited ? { limitedBy: 'The target answered 429 to 300 of 900 requests.' } : {}),
        }),
      );
    };

    test('through the target is incomplete from more than a third of the MUSTs on, with what to change', () => {
      const report = hindered(third + 1, 'target');
      expect(report.verdict).toBe('incomplete');
      expect(report.error).toBe(
        `The target answered 429 to 300 of 900 requests. So ${third + 1} of ${musts.length} MUST requirements stayed untested, more than a third. Raise the limits of the server for this run, or stay below them with --rate and --concurrency, and run it again.`,
      );
      expect(exitCode(report)).toBe(3);
      expect(hindered(third, 'target').verdict).toBe('conformant');
      expect(hindered(musts.length, 'target').verdict).toBe('incomplete');
    });

    test('through the call is no verdict either, and no matter of the target', () => {
      expect(hindered(third, 'call').verdict).toBe('conformant');
      expect(hindered(third + 1, 'call').error).toBe(
        `Too little could be tested for a verdict: ${third + 1} of ${musts.length} MUST requirements stayed untested, more than a third. The report says what each of them needs.`,
      );
    });

    test('through a budget is no verdict, however few, where it keeps strangers out', () => {
      const cut = (id: string, ...more: Finding[]) =>
        makeReport(input({ findings: cleanBut(finding(id, 'untested', { through: 'budget' }), ...more) }));
      expect(cut('token.reusable').verdict).toBe('conformant');
      expect(cut('exchange.wrong-paraphrase-refused')).toMatchObject({
        verdict: 'incomplete',
        error: `The budget is too small for a verdict: 1 of ${musts.length} MUST requirements stayed untested, including requirements that keep requests without credentials out: exchange.wrong-paraphrase-refused. Give a larger --budget.`,
      });
      const needsMore = finding('exchange.wrong-paraphrase-refused', 'untested', { through: 'call' });
      const tried = finding('exchange.wrong-paraphrase-refused', 'pass');
      expect(cut(needsMore.requirement, needsMore).verdict).toBe('incomplete');
      expect(cut(needsMore.requirement, needsMore, tried).verdict).toBe('conformant');
    });

    test('because of what the baseline accepts is told as such', () => {
      const id = musts.at(-1)?.id ?? '';
      const untested = musts.slice(0, third + 1).map((row) => finding(row.id, 'untested', { through: 'target' }));
      const options = { ...input().options, baseline: [{ requirement: id, reason: 'Known.' }] };
      const report = makeReport(input({ findings: [...untested, finding(id, 'fail')], options }));
      expect([report.verdict, report.error]).toEqual(['incomplete', expect.stringContaining(`What the baseline accepts, ${id}, can keep`)]);
    });

    test('beside a violated MUST is not conformant', () => {
      const report = hindered(third + 1, 'target', [finding(musts.at(-1)?.id ?? '', 'fail')]);
      expect([report.verdict, exitCode(report)]).toEqual(['non-conformant', 1]);
      expect(report.error).toContain('The target answered 429');
    });

    test('because of a violated MUST is nothing to lift a limit for', () => {
      const report = hindered(third + 1, 'target', [finding(musts.at(-1)?.id ?? '', 'fail')], false);
      expect([report.verdict, report.error]).toEqual(['non-conformant', undefined]);
    });
  });

  test('a fatal error is the verdict whatever was found', () => {
    const failed = { findings: [finding('challenge.nonce', 'fail')], error: 'The clock stands still.' };
    const fatal = makeReport(input({ ...failed, fatal: true }));
    expect(fatal).toMatchObject({ verdict: 'error', error: 'The clock stands still.' });
    expect([exitCode(fatal), exitCode(makeReport(input(failed)))]).toEqual([3, 1]);
  });

  test('no verdict ends in 3: an error, an interruption, or nothing tested at all', () => {
    const error = makeReport(input({ findings: [], error: 'The target cannot be reached.' }));
    const interrupted = makeReport(input({ interrupted: true }));
    const nothing = makeReport(input({ findings: [], selected: ['config.users'] }));
    expect(error).toMatchObject({ verdict: 'error', error: 'The target cannot be reached.' });
    expect(interrupted).toMatchObject({ verdict: 'incomplete', error: 'The run was interrupted.' });
    expect(nothing).toMatchObject({
      verdict: 'error',
      error: expect.stringMatching(/^No requirement could be tested\. config\.users: \S.*\.$/),
    });
    expect(makeReport(input({ findings: [], selected: [] })).error).toBe(
      'There is nothing to test: --only and --skip together leave no requirement.',
    );
    expect(makeReport(input({ findings: [], selected: ['challenge.nonce-single-use'] })).error).toMatch(
      /^There is nothing to judge: challenge\.nonce-single-use is left open by the protocol\. The report shows what was observed; add --verbose\./,
    );
    expect([error, interrupted, nothing].map((report) => exitCode(report))).toEqual([3, 3, 3]);
  });
});
