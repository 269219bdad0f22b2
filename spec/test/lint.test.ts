import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadSpec, packageFile } from '../index.js';
import { scratch } from './scratch.js';

test('Redocly finds nothing to complain of in the documents of a profile', async () => {
  const folder = scratch();
  const { openapi, arazzo } = loadSpec(packageFile('spec', 'example.overlay.yaml')).source;
  writeFileSync(join(folder, 'openapi.yaml'), stringify(openapi));
  writeFileSync(join(folder, 'auth.arazzo.yaml'), stringify(arazzo));
  const words = [packageFile('node_modules', '@redocly', 'cli', 'bin', 'cli.js'), 'lint', '--config', packageFile('redocly.yaml')];
  const files = ['openapi.yaml', 'auth.arazzo.yaml'].map((file) => join(folder, file));
  const code = await new Promise((resolve) => {
    execFile(process.execPath, [...words, ...files], { env: { ...process.env, REDOCLY_TELEMETRY: 'off' } }, (error, out, err) =>
      resolve(error === null ? 0 : `${out}${err}`),
    );
  });
  expect(code).toBe(0);
});
