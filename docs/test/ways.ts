import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../spec/index.js';
import { blocksOf } from './blocks.js';
import { fleetWays } from './fleet-ways.js';
import { type Follow, faketime, fewer, left, module, python, run, saved, served, start, withService } from './following.js';
import { proxyWays } from './proxy-ways.js';
import { breaksTokens, referenceServerWays } from './reference-server-ways.js';
import { testMyClientWays } from './test-my-client-ways.js';

const clientScript = () => blocksOf('docs/test-my-client.md').find(({ language }) => language === 'python')?.text ?? '';
const conformant = /^Conformant: /m;
const inClockTest = 'clock.test.ts starts and moves it';

/** How each block is followed, by how it begins, in the order of its page. */
export const ways: Readonly<Record<string, readonly (readonly [begins: string, follow: Follow])[]>> = {
  'README.md': [
    ['npx hydrauth demo', left('the demo and a check of a service are run by other tests')],
    ['npm ci && npm start', left('it installs and runs this repository, which CI does')],
    ["HYDRAUTH_USERS='1:secret' hydrauth check", withService(run(0, conformant))],
    [
      'hydrauth check-client',
      async (block, place) => {
        place.file('my_client.py', clientScript());
        if (!python.skip) await run(0, conformant)(block, place);
      },
    ],
    [
      'import { startReferenceServer',
      async (block, place) => {
        await module()(block, place);
        await breaksTokens(block, place);
      },
    ],
    ['npx @redocly/cli respect', left('spec/test/arazzo.test.ts runs the workflow so')],
  ],
  'CONTRIBUTING.md': [['cli/ ', left('it is a table of rooms')]],
  'docs/test-my-server.md': [
    ['npm install', withService(run(0, conformant))],
    ['npx hydrauth serve', start()],
    ['npx hydrauth check', run(0, conformant, { HYDRAUTH_USERS: '1:secret' })],
    ['import json, os', left(inClockTest)],
    ['import { createServer }', left(inClockTest)],
    ['package main', left(inClockTest)],
    ['import com.sun', left(inClockTest)],
    ['npx hydrauth check', withService(run(0, /^Expiry of the token +1 passed/m, { HYDRAUTH_USERS: '1:secret' }))],
    [
      '#!/bin/sh',
      async (block, place) => {
        await saved('faketime.sh')(block, place);
        await place.run('chmod +x faketime.sh');
      },
    ],
    [
      './faketime.sh python3 server.py',
      async ({ text, ...block }, place) => {
        // The first three start programs of the reader's.
        if (!faketime.skip) await start()({ ...block, text: text.trim().split('\n').at(-1) ?? '' }, place);
      },
    ],
    [
      "HYDRAUTH_USERS='1:secret' npx hydrauth check",
      async (block, place) => {
        if (!faketime.skip) expect(await run(0, conformant)(block, place)).toMatch(/^Expiry of the token +1 passed/m);
      },
    ],
    ['// conformance.test.js', saved('conformance.test.js')],
    [
      'import { describeConformance }',
      async ({ text }, place) => {
        const mine =
          "import { startReferenceServer } from 'hydrauth/reference-server';\nconst users = [{ id: 1, paraphrase: 'secret' }];\n";
        const started =
          'const startMyServer = async () => { const it = await startReferenceServer({ users, collections: ["people"] }); return { url: it.url, stop: () => it.close() }; };\n';
        place.file('hook.test.js', `${mine}${started}${fewer(text)}`);
        await served(place);
        // The file of the block before, with the port of now.
        const [first] = blocksOf('docs/test-my-server.md').filter((block) => block.text.startsWith('// conformance.test.js'));
        place.file('conformance.test.js', place.here(fewer(first?.text ?? '')));
        expect(await place.run('npx vitest run')).toMatchObject({ code: 0, out: expect.stringMatching(/Test Files +2 passed/) });
      },
    ],
    ['import { exitCode', module('', '', /^conformant 0$/m)],
  ],
  'docs/gate-my-ci.md': [
    [
      'jobs:',
      async ({ text }) => {
        const { inputs } = parse(readFileSync(packageFile('action.yml'), 'utf8'));
        const { steps } = parse(text).jobs.conformance;
        const own = steps.find(({ uses = '' }) => uses.startsWith('OWNER/hydrauth@'));
        expect(Object.keys(own.with).filter((name) => !(name in inputs))).toEqual([]);
        const required = Object.entries(inputs).flatMap(([name, input]) => ((input as { required?: boolean }).required ? [name] : []));
        expect(required.filter((name) => !(name in own.with))).toEqual([]);
      },
    ],
    [
      'conformance:',
      async ({ text, ...block }, place) => {
        await served(place);
        await place.run(
          'printf "#!/bin/sh\\n" > start-my-server; chmod +x start-my-server; echo 1:secret > users; echo [] > hydrauth-baseline.json',
        );
        const script = (parse(text).conformance.script as string[]).join('\n');
        await run(0, conformant, { HYDRAUTH_USERS_FILE: 'users' })({ ...block, text: script }, place);
        expect(['report.html', 'report.xml'].filter((file) => !existsSync(join(place.folder, file)))).toEqual([]);
      },
    ],
    ["HYDRAUTH_USERS='1:secret' npx", run(0, conformant)],
    ['npx hydrauth serve', start()],
    ["HYDRAUTH_USERS='1:secret' npx", run(1, /^\[\{"requirement":"challenge\.body","reason":/m, { ONLY: 'challenge.body' })],
    [
      '[',
      async (block, place) => {
        await saved('hydrauth-baseline.json')(block, place);
        const text = 'npx hydrauth check http://127.0.0.1:8080/api --collection people --user 1:secret --baseline hydrauth-baseline.json';
        await run(0, /1 tested MUST requirement is a known failure/, { ONLY: 'challenge.body' })({ ...block, text }, place);
      },
    ],
  ],
  'docs/use-the-reference-server.md': referenceServerWays,
  'docs/reference-server.md': [
    ['import { manualClock', module()],
    ['const server', module("import { startReferenceServer } from 'hydrauth/reference-server';", 'await server.close();')],
  ],
  'docs/reference-client.md': [
    ['import { hydraClient', withService(module('', 'console.log(people.status);', /^200$/m))],
    ['import { hydraClient', module('', 'console.log(status);', /^200$/m)],
  ],
  'docs/use-in-hapi.md': [
    ['npm install', run()],
    [
      '// app.mjs',
      async (block, place) => {
        await place.takePort('8080');
        await saved('app.mjs')(block, place);
      },
    ],
    [
      'node app.mjs',
      async ({ text }, place) =>
        place.start(
          text.replace(
            'app.mjs',
            '--import "data:text/javascript," --eval "await import(\'./app.mjs\'); console.log(\'started\')" --input-type=module',
          ),
          /started/,
        ),
    ],
    ['npx hydrauth check', run(0, conformant)],
    [
      'import { hashParaphrase',
      module(
        "import Hapi from '@hapi/hapi';\nconst server = Hapi.server();\nconst rows = new Map();\nconst db = { insert: async (row) => rows.set(row.id, row), find: async (id) => rows.get(Number(id)) };",
        "console.log((await server.inject('/api/x')).statusCode);",
        /^401$/m,
      ),
    ],
    ['import { manualClock', module('', 'await control.close();', /^--clock http:\/\/127\.0\.0\.1:\d+\/$/m)],
  ],
  'docs/postman.md': [
    ['npx hydrauth serve', async (block, place) => place.file('line.json', String(await start(/\}\n/)(block, place)))],
    ['npx hydrauth export', run()],
    [
      'npx newman',
      async (block, place) => {
        const { url, clock } = JSON.parse(readFileSync(join(place.folder, 'line.json'), 'utf8'));
        await run(0, /│ +assertions │ +\d+ │ +0 │/, { URL: url, CLOCK: clock })(block, place);
      },
    ],
    ['cd hydrauth-bruno', left('conformance/postman/test/formats.test.ts runs it where bru is installed')],
    ['hurl --test', left('conformance/postman/test/formats.test.ts runs it where hurl is installed')],
  ],
  'docs/judge-recorded.md': [
    ['npx hydrauth judge', left('conformance/recorded/test/judge.test.ts judges files of Chromium')],
    ['npx hydrauth check', withService(run(0, /judged again[\s\S]*^Conformant: /m))],
  ],
  'docs/profiles.md': [
    ['npx hydrauth export overlay', run(0)],
    ['overlay: 1.0.0', saved('profile.yaml')],
    // five-faults.test.ts runs the demo, and profiles.test.ts judges other profiles.
    [
      'npx hydrauth requirements',
      async ({ text, ...block }, place) => run(0, /20 minutes/)({ ...block, text: text.split('\n')[0] ?? '' }, place),
    ],
    [
      'npx hydrauth check',
      async (block, place) => {
        await start()({ ...block, text: 'npx hydrauth serve --port 8080 --user 1:secret --collection people --spec profile.yaml' }, place);
        await run(0, conformant)(block, place);
      },
    ],
  ],
  'docs/test-my-client.md': testMyClientWays,
  'docs/fleets.md': fleetWays,
  'docs/use-the-proxy.md': proxyWays,
  'docs/foreign-servers.md': [
    ['npx vitest run', left('these are tests of the kit itself')],
    [
      'cd fixtures',
      async (block, place) => {
        await place.takePort('8081');
        if (!python.skip) await start(/./, `cd ${packageFile()}\n`)({ ...block, text: block.text.replace('python3', 'python3 -u') }, place);
      },
    ],
    ['npx hydrauth check', async (block, place) => python.skip || run(1, /^Not conformant: /m)(block, place)],
  ],
  'docs/judged-clients.md': [
    ['npx vitest run', left('these are tests of the kit itself')],
    ['npx hydrauth check-client', left('it needs a build; fixtures/clients/test judges the same clients')],
  ],
  'docs/hostile.md': [['npm run hostile', left('it takes minutes')]],
  'docs/soak.md': [['npm run soak', left('it takes an hour')]],
};
