import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../reference-server/index.js';
import { changeLiteral, type Literal, loadSpec, packageFile, type Spec, spec } from '../index.js';

/** Runs the workflow with Redocly's runner, a stranger to this project, against a server that answers from this spec. */
async function respect(serverSpec: Spec): Promise<{ passed: boolean; output: string }> {
  const server = await startReferenceServer({ spec: serverSpec, users: [{ id: 7, paraphrase: 'a:b' }], collections: ['people'] });
  const inputs = { collection_name: 'people', authorization: `Basic ${Buffer.from('7:a:b').toString('base64')}` };
  const redocly = packageFile('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const file = packageFile('spec', 'auth.arazzo.yaml');
  const words = [redocly, 'respect', file, '--server', `api=${server.url}`, '--input', JSON.stringify(inputs)];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
    return { passed: true, output: stdout + stderr };
  } catch (failed) {
    const { stdout, stderr } = failed as { stdout: string; stderr: string };
    return { passed: false, output: stdout + stderr };
  } finally {
    await server.close();
  }
}

function changed(name: string, value: string): Spec {
  return loadSpec(changeLiteral(spec.source, spec.literals.find((each) => each.name === name) as Literal, value));
}

describe.concurrent('the Arazzo workflow', () => {
  test('runs green against the reference server', async () => {
    const { passed, output } = await respect(spec);
    expect(output).toContain('step refusal');
    expect(output).not.toContain('✗');
    expect(passed).toBe(true);
  });

  test.each([['header name: token', 'X-Token', 'exchange']])('runs red against a server with another %s', async (name, value, step) => {
    const { passed, output } = await respect(changed(name, value));
    expect(output).toMatch(new RegExp(`✗ .* step ${step}\\b`));
    expect(passed).toBe(false);
  });
});
