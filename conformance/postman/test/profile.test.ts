import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultUsers, startReferenceServer } from '../../../reference-server/index.js';
import { loadSpec, packageFile, type Spec, spec } from '../../../spec/index.js';
import { postmanCollectionText } from '../index.js';

const profile = loadSpec(packageFile('spec', 'example.overlay.yaml'));
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hydrauth-'));
  await writeFile(join(folder, 'profile.json'), postmanCollectionText(profile));
});
afterAll(() => rm(folder, { recursive: true }));

/** The collection of the profile, run by plain Newman against a server that follows a spec. */
async function newman(followed: Spec): Promise<{ code: number; failed: string[] }> {
  await using server = await startReferenceServer({ spec: followed, clock: 'manual' });
  const [user] = defaultUsers;
  const variables = {
    base_url: server.url,
    collection: server.collections[0],
    user_id: user?.id,
    paraphrase: user?.paraphrase,
    clock_url: server.clockUrl,
  };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const words = [
    packageFile('node_modules', 'newman', 'bin', 'newman.js'),
    'run',
    join(folder, 'profile.json'),
    '--color',
    'off',
    ...given,
  ];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, words, (error, out) => resolve({ code: error === null ? 0 : Number(error.code), out }));
  });
  return { code, failed: out.split('\n').flatMap((line) => /^ *[0-9]+\. +([a-z]+\.[a-z-]+): /.exec(line)?.[1] ?? []) };
}

test('the collection of a profile passes a server of that profile in plain Newman', async () => {
  expect(await newman(profile)).toEqual({ code: 0, failed: [] });
}, 300_000);

test('and fails the server of another', async () => {
  const { code, failed } = await newman(spec);
  expect(code).toBe(1);
  // Another status is no challenge under this profile, so that nothing else can be seen.
  expect(failed).toContain('challenge.status');
}, 300_000);
