import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';

/** A header MUST that the protocol does not have, written down as CONTRIBUTING.md says. */
const edits: readonly (readonly [file: string, before: string, added: string])[] = [
  [
    'spec/openapi.yaml',
    '    ContentLength:\n      description:',
    `    FrameOptions:
      description: No page may show the response in a frame.
      required: true
      schema:
        type: string
        const: DENY
`,
  ],
  [
    'spec/requirements.yaml',
    "  - { point: '2.1',",
    "  - { point: '1.10', section: '1 What the service does', says: 'No response is shown in a frame.' }\n",
  ],
  [
    'spec/requirements.yaml',
    '  - id: headers.content-length',
    `  - id: headers.frame-options
    level: MUST
    source: ['1.10']
    step: headers
    auth: any
    header: FrameOptions
    statement: No response of the three steps may be shown in a frame.
    hint: Send X-Frame-Options with DENY on every response.
    engines: [laws]
`,
  ],
  [
    'fixtures/faults/headers.ts',
    "  ...faultsOf('headers.content-type'",
    "  ...faultsOf('headers.frame-options', {\n    'frames-allowed: The challenge may be shown in a frame.': onChallenge(without({ component: 'FrameOptions' })),\n  }),\n",
  ],
];

const trial = `
import { applyFixtures, faults } from './fixtures/index.js';
import { runConformance } from './conformance/index.js';
import { startReferenceServer } from './reference-server/index.js';

const judged = async (options) => {
  await using server = await startReferenceServer(options);
  const users = ['1:correct horse battery staple'];
  const { verdict, requirements } = await runConformance({ baseUrl: server.url, collections: server.collections, users, engine: 'laws', only: ['headers'], seed: 1, runs: 1 });
  return [verdict, requirements.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id), requirements.some(({ id, outcome }) => id === 'headers.frame-options' && outcome === 'pass')];
};
const broken = faults.filter(({ id }) => id === 'frames-allowed');
console.log(JSON.stringify([await judged({}), await judged(applyFixtures(broken, {}))]));
`;

const copy = scratch();

/** Every response that grants or challenges has the header, so it stands there in the document too. */
function withHeaderInResponses(text: string): string {
  const line = "        Access-Control-Allow-Origin:\n          $ref: '#/components/headers/AllowOrigin'\n";
  return text.replaceAll(line, `${line}        X-Frame-Options:\n          $ref: '#/components/headers/FrameOptions'\n`);
}

test('a header MUST is added by hand in the files that CONTRIBUTING.md names, three at most', async () => {
  for (const folder of ['spec', 'reference-server', 'conformance', 'fixtures'])
    cpSync(packageFile(folder), join(copy, folder), { recursive: true, filter: (file) => !/\/(test|hostile|self-test)$/.test(file) });
  cpSync(packageFile('package.json'), join(copy, 'package.json'));
  symlinkSync(packageFile('node_modules'), join(copy, 'node_modules'));
  for (const [file, before, added] of edits) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text.split(before).length, `${before} in ${file}`).toBe(2);
    const edited = text.replace(before, () => added + before);
    writeFileSync(join(copy, file), file === 'spec/openapi.yaml' ? withHeaderInResponses(edited) : edited);
  }
  const byHand = [...new Set(edits.map(([file]) => file))];
  expect(byHand.length).toBeLessThanOrEqual(3);
  const [, section = ''] = readFileSync(packageFile('CONTRIBUTING.md'), 'utf8').split('\n## Add a requirement\n');
  const [instructions = ''] = section.split('\n## ');
  expect(byHand.filter((file) => !instructions.includes(`\`${file}\``))).toEqual([]);

  writeFileSync(join(copy, 'trial.ts'), trial);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'trial.ts'], { cwd: copy });
  expect(JSON.parse(stdout)).toEqual([
    ['conformant', [], true],
    ['non-conformant', ['headers.frame-options'], false],
  ]);
});
