import { describe, expect, test } from 'vitest';
import { makeReport, terminalReport } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanReport, failingReport, input } from './samples.js';

describe('the terminal report', () => {
  test('has one line per requirement under its step', () => {
    const text = terminalReport(brokenReport(), { width: 100 });
    expect(text).toContain('Step A: challenge  5 passed, 1 known failure');
    for (const { id } of brokenReport().requirements)
      expect(text).toMatch(new RegExp(`^  (pass|FAIL|warn|known|untested) +(MUST|SHOULD) +${id.replace('.', '\\.')}( |$)`, 'm'));
  });

  test('explains a failure: clause, found, expected, actual, advice, exchanges, script, replay', () => {
    const [, failure = ''] = terminalReport(failingReport(), { width: 100 }).split('\n2. expiry.refused-after');
    const lines = failure
      .slice(0, failure.indexOf('Warnings'))
      .split('\n')
      .map((line) => line.trim());
    expect(lines[1]).toMatch(/^Clause {4}MUST, section 5 Step C; 5 Rules; 8 Limits: A token is refused from 45 minutes/);
    expect(lines).toContain('Found     A token was still accepted 45 minutes and 5 seconds after it was issued.');
    expect(lines).toContain('Expected  a refusal: no resource and no token');
    expect(lines).toContain('Actual    status 200 and the collection');
    expect(lines).toContain('Exchanges 1. GET /api/things  ->  401 Unauthorized');
    expect(lines).toContain('3. the clock moves forward by 45 min 5 s');
    expect(lines).toContain('Replay    hydrauth replay report.json expiry/refused-after   (seed 42, path 3:0:1)');
    expect(lines).toContain('# 4. GET /api/things: 200 OK came');
    expect(failure).toContain('The engines do not agree');
  });

  test('groups what is untested by reason, and shows observations, remarks and entries for a baseline', () => {
    const text = terminalReport(brokenReport(), { width: 100 });
    expect(text).toContain(
      'The token did not expire, so nothing can be said of what follows.\n    expiry.for-ever, expiry.not-sliding, expiry.counted-from-issue',
    );
    expect(text).toMatch(/Does a nonce open more than once\? +no\n/);
    expect(text).toContain('Remarks\n  One request was answered with a redirect');
    expect(text).toContain('{"requirement":"expiry.refused-after","reason":');
    expect(text).toContain('Reason    The realm changes with release 4');
  });

  test('closes with the verdict, the counts and the time', () => {
    const last = (report: Parameters<typeof terminalReport>[0]) => terminalReport(report).trimEnd().split('\n').at(-1);
    expect(last(cleanReport())).toBe('Conformant: 48 tested MUST requirements hold. 66 passed, 3 untested, 1,312 requests, 8.3 s.');
    expect(last(failingReport())).toBe(
      'Not conformant: 2 MUST requirements are violated, of 45 tested. 60 passed, 2 failed, 1 warning, 6 untested, 1,312 requests, 8.3 s.',
    );
    expect(last(makeReport(input({ findings: [], error: 'The target cannot be reached.', requests: 1 })))).toBe(
      'No verdict: The target cannot be reached. 0 passed, 69 untested, 1 request, 8.3 s.',
    );
  });

  test('has no colour unless asked, and the same words with it', () => {
    const plain = terminalReport(brokenReport(), { width: 90 });
    const coloured = terminalReport(brokenReport(), { width: 90, colour: true });
    expect(plain).not.toContain('\x1b');
    expect(coloured).toContain('\x1b[31m');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain);
  });

  test('keeps to the width, but for ids, scripts and the closing line', () => {
    const lines = terminalReport(cleanReport(), { width: 60 }).trimEnd().split('\n').slice(0, -1);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  test('cannot be steered by the target', () => {
    for (const colour of [false, true]) {
      const text = terminalReport(hostileReport(), { colour }).replace(/\x1b\[\d{1,2}m/g, '');
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e\u2066\ufeff]|\p{Surrogate}/u);
      expect(text).toContain('\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\x00');
      expect(text).toContain('\\u202egnp.exe');
    }
  });
});
