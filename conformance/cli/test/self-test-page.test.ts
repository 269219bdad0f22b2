import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { selfTestFiles } from '../self-test/document.js';

test.each(selfTestFiles().map(({ path, text }) => [path.split('/').at(-1), path, text]))('%s is what the figures make', (_, path, text) => {
  expect(readFileSync(path as string, 'utf8')).toBe(text);
});
