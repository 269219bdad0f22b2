import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startReferenceServer } from '../../reference-server/index.js';
import { changeLiteral, type Literal, loadSpec, packageFile, type Spec, spec } from '../index.js';
import { scratch } from './scratch.js';

/** Runs Redocly, a stranger to this project. */
async function redocly(...words: readonly string[]): Promise<{ passed: boolean; output: string }> {
  const program = packageFile('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' };
  const told = (passed: boolean) => (said: { stdout: string; stderr: string }) => ({ passed, output: said.stdout + said.stderr });
  return promisify(execFile)(process.execPath, [program, ...words], { env }).then(told(true), told(false));
}

/** Runs the workflow against a server that answers from this spec. */
async function respect(serverSpec: Spec) {
  await using server = await startReferenceServer({ spec: serverSpec, users: [{ id: 7, paraphrase: 'a:b' }], collections: ['people'] });
  const inputs = { collection_name: 'people', authorization: `Basic ${Buffer.from('7:a:b').toString('base64')}` };
  const file = packageFile('spec', 'auth.arazzo.yaml');
  return await redocly('respect', file, '--server', `api=${server.url}`, '--input', JSON.stringify(inputs));
}

describe.concurrent('the Arazzo workflow', () => {
  test('runs green against the reference server', async () => {
    const { passed, output } = await respect(spec);
    expect(output).toContain('step refusal');
    expect(output).not.toContain('✗');
    expect(passed).toBe(true);
  });

  test('runs red against a server with another header name', async () => {
    const name = spec.literals.find((each) => each.name === 'header name: token') as Literal;
    const { passed, output } = await respect(loadSpec(changeLiteral(spec.source, name, 'X-Token')));
    expect(output).toMatch(/✗ .* step exchange\b/);
    expect(passed).toBe(false);
  });
});

test('Redocly finds nothing to complain of in the documents of a profile', async () => {
  const { openapi, arazzo } = loadSpec(packageFile('spec', 'example.overlay.yaml')).source;
  const files = Object.entries({ 'openapi.yaml': openapi, 'auth.arazzo.yaml': arazzo });
  const folder = scratch();
  for (const [file, document] of files) writeFileSync(join(folder, file), stringify(document));
  const { passed, output } = await redocly('lint', '--config', packageFile('redocly.yaml'), ...files.map(([file]) => join(folder, file)));
  expect(passed, output).toBe(true);
});
