import { needs, quietChromium } from '../../fixtures/test/needs.js';
import { packageFile } from '../../spec/index.js';
import { type Follow, module, run, saved, withService } from './following.js';

const where = (tool: Parameters<typeof needs>[0], follow: (path: string) => Follow): Follow => {
  const needed = needs(tool);
  return Object.assign(follow(needed.path), { needed });
};

const proxy = withService(async ({ text }, place) => {
  await place.stop();
  await place.takePort('9000');
  await place.start(text, /End with Ctrl-C/);
});

export const proxyWays: readonly (readonly [begins: string, follow: Follow])[] = [
  ["HYDRAUTH_USERS='1:secret' npx hydrauth proxy", proxy],
  ['curl', where('curl', () => run(0, /hydra:Collection/))],
  ['const answer', module('', '', /^200$/m)],
  [
    'npx autocannon',
    where('autocannon', () => async (block, place) => run(0, /requests in/)({ ...block, text: block.text.replace('npx ', '') }, place)),
  ],
  ['openapi: 3.1.0', saved('openapi.yaml')],
  ['schemathesis run', where('schemathesis', () => run(0, /No issues found/))],
  [
    'import { chromium }',
    where('chromium', (executablePath) => async (block, place) => {
      const text = block.text
        .replace("'playwright'", JSON.stringify(packageFile('node_modules', 'playwright-core', 'index.mjs')))
        .replace('launch()', `launch(${JSON.stringify({ executablePath, args: quietChromium })})`);
      await module('', '', /^200$/m)({ ...block, text }, place);
    }),
  ],
  ["HYDRAUTH_USERS='1:secret' npx hydrauth proxy", proxy],
];
