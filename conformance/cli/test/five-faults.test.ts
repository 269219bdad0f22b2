import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from './calling.js';

/** Each fault, and what a reader must be told to mend it. */
const told: Readonly<Record<string, RegExp>> = {
  sliding: /expiry\.not-sliding[\s\S]*Actual +200 OK[\s\S]*Store the time of issue/,
  'link-missing-on-exchange': /headers\.link[\s\S]*Expected +Link: <[\s\S]*Actual +no Link header/,
  'token-with-prefix': /exchange\.token-shape[\s\S]*66 characters, not all of them hexadecimal digits[\s\S]*without a prefix/,
  'realm-in-other-case': /Expected +.*"Login required"\n +Actual +.*"LOGIN REQUIRED"\n +\^+\n/,
  'nonce-without-hyphens': /challenge\.nonce-shape[\s\S]*a UUID[\s\S]*The whole value must match/,
};

test('a service with five faults is understood from sixty lines', async () => {
  const folder = scratch();
  const [json, html] = ['five.json', 'five.html'].map((name) => join(folder, name)) as [string, string];
  const { code, out } = await calling(['demo', '--json', json, '--html', html, '--fault', ...Object.keys(told)], { columns: 100 });
  // The first lines say of the demo what it has broken, and are not part of the report.
  const report = out
    .slice(out.indexOf('\nhydrauth ') + 1)
    .trimEnd()
    .split('\n');
  const read = report.slice(0, 60).join('\n');
  for (const words of Object.values(told)) expect(read).toMatch(words);
  expect(report.length).toBeLessThanOrEqual(60);
  expect(report.at(-1)).toMatch(/^Not conformant: 5 MUST requirements are violated/);
  expect(out).toContain(`hydrauth replay ${json} expiry.not-sliding`);
  expect(readFileSync(html, 'utf8')).toContain(`hydrauth replay ${json} expiry`);
  expect([code, JSON.parse(readFileSync(json, 'utf8')).verdict]).toEqual([1, 'non-conformant']);
});
