import { makeReport, type Report } from '../index.js';
import { cleanBut, exchange, finding, input } from './samples.js';

/** Text that tries to break out of every format there is. */
export const hostile = [
  '\x1b[2J\x1b]0;owned\x07\x9b31m\x00\x08\r',
  '<script>globalThis.owned = 1</script><img src=x onerror="globalThis.owned = 1">',
  `"'><svg onload=globalThis.owned=1>`,
  ']]> --> <!-- <![CDATA[ &lt; &#0; &bogus;',
  '@octocat #1 [link](javascript:alert(1)) ![image](http://evil.example/x.png) | cell | `code` ``` **bold** www.evil.example',
  '</pre></details></summary>',
  '\u202egnp.exe\u2066\u200b\u2028\ufeff',
  'half a pair: \ud800 and \udc00, \ufffe',
  '{"@context": "http://evil.example/context"}',
].join('\n');

/** Everything that a target can put its words into is hostile. */
export function hostileReport(text = hostile): Report {
  const wire = exchange(`/api/${encodeURI('things')}?${text}`, [['X-Odd', text]], 200, [['X-Odd', text]], text);
  const spoiled = finding('challenge.body', 'fail', {
    check: `challenge/${text}`,
    expected: text,
    actual: `${text}, but other`,
    message: text,
    chain: [{ ...wire, problem: { code: 'length', message: text } }, { advancedMs: 60_000 }],
    seed: 7,
    path: text,
    example: text,
    explains: [{ what: text, count: 3 }],
    rate: { failed: 1, of: 3 },
  });
  return makeReport(
    input({
      findings: cleanBut(
        spoiled,
        { ...spoiled, check: 'challenge/second' },
        { ...spoiled, requirement: 'challenge.status', outcome: 'pass', restsOn: text },
        { ...spoiled, requirement: 'headers.date-format' },
        { ...spoiled, requirement: 'headers.link' },
        finding('expiry.for-ever', 'untested', { message: text }),
      ),
      target: { ...input().target, collections: [text] },
      options: { ...input().options, baseline: [{ requirement: 'headers.link', reason: text }] },
      observations: [{ requirement: 'protection.limits', answer: text, evidence: text }],
      remarks: [text],
      error: text,
    }),
  );
}
