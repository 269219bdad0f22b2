import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../conformance/generated.js';
import { packageFile } from '../index.js';

test.each(generatedFiles.map((each) => [each.file, each] as const))('%s is fresh', async (file, { text }) => {
  const committed = readFileSync(packageFile(file), 'utf8');
  expect(committed === (await text()), `${file} is stale: run npm run generate`).toBe(true);
});
