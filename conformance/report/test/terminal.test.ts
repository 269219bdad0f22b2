import { describe, expect, test } from 'vitest';
import { makeReport, terminalReport } from '../index.js';
import { hostileReport } from './hostile.js';
import { brokenReport, cleanBut, cleanReport, failingReport, finding, input, rows } from './samples.js';

/** The lines of the first failure, that of expiry. */
function failureLines(text: string): string[] {
  const [, failure = ''] = text.split('. expiry.refused-after');
  return failure
    .slice(0, failure.indexOf('2. challenge'))
    .split('\n')
    .map((line) => line.trim());
}

describe('the terminal report', () => {
  test('has one line a step, and every requirement under it when it is verbose', () => {
    expect(terminalReport(cleanReport(), { width: 100 })).toContain('\nStep A: challenge            6 passed\nStep B: credential exchange');
    const text = terminalReport(brokenReport(), { width: 100, verbose: true });
    for (const { id } of brokenReport().requirements)
      expect(text).toMatch(new RegExp(`^  (pass|FAIL|warn|known|untested) +(MUST|SHOULD) +${id.replace('.', '\\.')}( |$)`, 'm'));
  });

  test('explains a failure: clause, found, expected, actual, where it was seen, advice', () => {
    const lines = failureLines(terminalReport(failingReport(), { width: 100 }));
    expect(lines[0]).toBe('MUST, section 5 Step C; 5 Rules; 8 Limits; failed 3 of 40 times');
    expect(lines[1]).toMatch(/^A token is refused once 45 minutes have passed/);
    expect(lines).toContain('Found     A token was still accepted 45 minutes and 5 seconds after it was issued.');
    expect(lines).toContain('Expected  a refusal: no resource and no token');
    expect(lines).toContain('Actual    status 200 and the collection');
    expect(lines).toContain('Request   GET /api/things with X-Authorization  ->  200 OK (step 4)');
    expect(lines.join()).not.toMatch(/bin\/sh|Replay|Exchanges|path 3:0:1/);
  });

  test('shows all exchanges, the script and how to replay it when it is verbose', () => {
    const lines = failureLines(terminalReport(failingReport(), { width: 100, verbose: true, json: 'out/my report.json' }));
    expect(lines).toContain('Exchanges 1. GET /api/things  ->  401 Unauthorized');
    expect(lines).toContain('3. the clock moves forward by 45 min 5 s');
    expect(lines).toContain("Replay    hydrauth replay 'out/my report.json' expiry/refused-after");
    expect(lines).toContain('# 4. GET /api/things: 200 OK came');
    expect(lines.join(' ')).toContain('Found by the laws only; the Postman collection tries fewer cases');
    const unwritten = failureLines(terminalReport(failingReport(), { width: 100, verbose: true }));
    expect(unwritten.join(' ')).toContain(
      'add --json report.json to the command of the run, then run: hydrauth replay report.json expiry/refused-after',
    );
  });

  test('marks below what came where it differs from what was expected', () => {
    const texts = { expected: 'Basic realm="Login required"', actual: 'Basic realm="Login Required"' };
    const findings = cleanBut(finding('challenge.www-authenticate', 'fail', texts));
    expect(terminalReport(makeReport(input({ findings })))).toContain(
      ['Expected  Basic realm="Login required"', 'Actual    Basic realm="Login Required"', '                             ^'].join('\n   '),
    );
  });

  test('groups what is untested by reason, and shows remarks and entries for a baseline', () => {
    const text = terminalReport(brokenReport(), { width: 200 });
    expect(text).toContain(
      '  expiry.for-ever, expiry.not-sliding, expiry.counted-from-issue: The token did not expire, so nothing can be said of what follows.\n',
    );
    expect(text).toContain('Remarks\n  One request was answered with a redirect');
    expect(text).toContain('[{"requirement":"expiry.refused-after","reason":');
    expect(text).toContain('Reason    The realm changes with release 4');
    expect(text).toContain('Untested (6)\n');
    expect(text).toContain('config.switch-authentication, config.switch-tokens: This cannot be tested over HTTP.\n');
    expect(text).not.toMatch(/Can a nonce be used more than once/);
    const verbose = terminalReport(brokenReport(), { width: 100, verbose: true });
    expect(verbose).toMatch(/Can a nonce be used more than once\? +no\n/);
    expect(verbose).toContain('config.users');
  });

  test('cuts nothing in a pipe, and breaks no word anywhere', () => {
    const actual = `a ${'word '.repeat(800)}${'x'.repeat(500)} end`;
    const report = makeReport(input({ findings: cleanBut(finding('token.reusable', 'fail', { actual })) }));
    const joined = (text: string) => text.replace(/\s+/g, ' ');
    expect(joined(terminalReport(report, { whole: true }))).toContain(joined(actual));
    expect(terminalReport(report, { width: 60 })).toContain('more characters');
  });

  test('tells what was left out by the beginning of its ids, where nothing with this beginning was judged', () => {
    const report = cleanReport();
    const requirements = report.requirements.filter(({ id }) => id.startsWith('challenge.'));
    const skipped = ['challenge.body', 'token.sufficient', 'token.reusable'];
    expect(terminalReport({ ...report, requirements, skipped })).toContain(
      'Skipped (3)\n  challenge.body, token.*: Not selected for this run (--only, --skip or',
    );
  });

  const { requirements, ...clean } = cleanReport();
  const shoulds = requirements.filter(({ level }) => level === 'SHOULD').slice(0, 2);
  const known = requirements.filter(({ id }) => id === 'challenge.status').map((each) => ({ ...each, outcome: 'known-failure' as const }));
  const accepting = { ...input().options, baseline: [{ requirement: 'challenge.status', reason: 'x' }] };

  test.each([
    [
      cleanReport(),
      new RegExp(`^Conformant: 48 tested MUST requirements hold\\. ${rows - 3} passed, 3 untested, 1,312 requests, 8\\.3 s\\.$`),
    ],
    [
      { ...clean, requirements: shoulds },
      /^Conformant: no MUST requirement was tested; of 2 tested SHOULD requirements, 2 hold\. 2 passed/,
    ],
    [
      { ...clean, requirements: known },
      /^Conformant: no new failure: 1 tested MUST requirement is a known failure listed in the baseline\. 0 passed/,
    ],
    [
      failingReport(),
      new RegExp(
        `^Not conformant: 2 MUST requirements are violated \\(45 tested; 3 could not be tested\\)\\. ${rows - 9} passed, 2 failed, 1 warning, 6 untested, 1,312 requests, 8\\.3 s\\.$`,
      ),
    ],
    [
      makeReport(input({ options: { ...input().options, strict: true }, findings: cleanBut(finding('headers.date-format', 'fail')) })),
      /^Failed: With --strict, 1 warning fails the run\. Otherwise conformant: 4\d tested MUST/,
    ],
    [
      makeReport(input({ options: accepting })),
      /^Failed: The baseline lists challenge\.status, which now passes; remove that entry\. Otherwise conformant/,
    ],
    [
      makeReport(input({ findings: [finding('challenge.status', 'fail')], error: 'The run broke off: it is gone.' })),
      /^Cut short: The run broke off: it is gone\. 1 MUST requirement is violated \(1 tested; 47 could not be tested\)\./,
    ],
    [
      makeReport(input({ findings: [], error: 'The target cannot be reached.', requests: 1 })),
      new RegExp(`^No verdict: The target cannot be reached\\. 0 passed, ${rows} untested, 1 request, 8\\.3 s\\.$`),
    ],
  ])('closes with the verdict, the counts and the time %#', (report, last) => {
    expect(terminalReport(report).trimEnd().split('\n').at(-1)).toMatch(last);
  });

  test('says where the rest is, and how to replay the first failure', () => {
    expect(terminalReport(failingReport())).toContain(
      '\nFor every detail, add --verbose or --html report.html. To repeat one failure, add --json report.json to this command, then run: hydrauth replay report.json expiry.refused-after\n',
    );
    expect(terminalReport(failingReport(), { json: 'r.json', html: 'r.html' })).toContain(
      '\nEvery detail is in r.html. To repeat one failure, run: hydrauth replay r.json expiry.refused-after\n',
    );
    expect(terminalReport(cleanReport())).not.toContain('To repeat one');
    const { requirements, ...rest } = failingReport();
    const withoutScripts = requirements.map((row) => ({ ...row, checks: row.checks.map((check) => ({ ...check, curl: null })) }));
    expect(terminalReport({ ...rest, requirements: withoutScripts }, { verbose: true })).not.toContain('hydrauth replay');
    expect(terminalReport({ ...rest, requirements: withoutScripts })).not.toContain('hydrauth replay');
  });

  test('has no colour unless asked, and the same words with it', () => {
    const plain = terminalReport(brokenReport(), { width: 90 });
    const coloured = terminalReport(brokenReport(), { width: 90, colour: true });
    expect(plain).not.toContain('\x1b');
    expect(coloured).toContain('\x1b[31m');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain);
  });

  test('keeps to the width, but for words and the closing line', () => {
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
