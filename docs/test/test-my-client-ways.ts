import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { packageFile } from '../../spec/index.js';
import { type Follow, fewer, left, python, run, saved, withService } from './following.js';

const reader = `import { hydraClient } from 'hydrauth/client';\nexport const connect = (baseUrl, user, paraphrase) => hydraClient({ baseUrl, user, paraphrase });\n`;
const conformant = /^Conformant: /m;

export const testMyClientWays: readonly (readonly [begins: string, follow: Follow])[] = [
  ['import base64', saved('my_client.py')],
  ['npm install', async (block, place) => python.skip || run(0, conformant)(block, place)],
  ['1. client.redirect-secrets', left('conformance/cli/test/check-client.test.ts compares it with what is printed')],
  [
    'npx hydrauth check-client --driver',
    async (block, place) => {
      place.file(
        'driver.js',
        readFileSync(packageFile('conformance/client/test/client.mjs'), 'utf8').replace(
          "'../../reference-client/index.js'",
          "'hydrauth/client'",
        ),
      );
      await run(0, conformant)(block, place);
    },
  ],
  [
    '→ {"id":1',
    async ({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line.slice(2))),
  ],
  [
    'import { describeClientConformance }',
    async ({ text }, place) => {
      place.file('my-client.js', reader);
      place.file('mine.test.ts', fewer(text));
      expect(await place.run('npx vitest run')).toMatchObject({ code: 0 });
    },
  ],
  ['npx hydrauth watch', withService(async ({ text }, place) => place.start(text.replace('9000', '0'), /Give the client this base URL/))],
];
