import { createHash } from 'node:crypto';
import { InputFileError } from './read.js';
import type { Outcome, Report } from './report.js';
import { exitCode, failsStrictly } from './verdict.js';

/** An in-toto statement of what a report found about the subjects. It is PASSED only where nothing is violated, flaky or accepted, and every MUST was tested. */
export function attestation(report: Report, json: string, subjects: readonly object[]): object {
  const { kit, profile, requirements, verdict } = report;
  const code = exitCode(report);
  if (code === 3 || profile === undefined)
    throw new InputFileError('the report', 'it has no verdict or names no profile, so there is nothing to attest');
  const having = (...outcomes: Outcome[]) => requirements.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id);
  const isClean =
    !requirements.some((each) => failsStrictly(each) || each.unseeable || each.outcome === 'known-failure') && report.skipped.length === 0;
  const sha256 = (digest: string) => ({ sha256: Buffer.from(digest, 'base64url').toString('hex') });
  const facts = { verdict, target: report.target.url, untested: having('untested'), skipped: report.skipped };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: code === 1 ? 'FAILED' : isClean ? 'PASSED' : 'WARNED',
      configuration: [
        { name: 'hydrauth', uri: `pkg:npm/hydrauth@${kit.version}`, annotations: { seed: kit.seed, runs: kit.runs, engines: kit.engines } },
        { name: `profile: ${profile.title} ${profile.version}`, digest: sha256(profile.digest) },
        { name: 'catalogue', digest: sha256(profile.catalogue) },
        { name: 'report', digest: { sha256: createHash('sha256').update(json).digest('hex') }, annotations: facts },
      ],
      passedTests: having('pass'),
      warnedTests: having('warn', 'flaky', 'known-failure'),
      failedTests: having('fail'),
    },
  };
}
