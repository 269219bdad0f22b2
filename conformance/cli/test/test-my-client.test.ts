import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { packageFile } from '../../../spec/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from './calling.js';

const python = needs('python3');
const folder = scratch();

const guide = readFileSync(packageFile('docs', 'test-my-client.md'), 'utf8');
const script = /```python\n(.*?)```/s.exec(guide)?.[1] ?? '';

const judged = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const rows = ['client.redirect-secrets', 'client.link-secrets', 'client.renews-token', 'client.header-blanks', 'client.utf8'];
  return calling(['check-client', '--timeout', '60000', '--only', ...rows, '--', 'python3', file], { columns: 140 });
};

describe('the script of the guide', () => {
  test.skipIf(python.skip)(`tells a stranger the token when it follows redirects${python.note}`, async () => {
    expect(script).toContain('build_opener(StayHere)');
    const { code, out } = await judged('follows.py', script.replace('build_opener(StayHere)', 'build_opener()'));
    expect(code).toBe(1);
    const shown = /```text\n(1\. client\.redirect-secrets.*?)```/s.exec(guide)?.[1] ?? '';
    expect(shown).not.toBe('');
    expect(out).toContain(shown.trimEnd());
  });
});
