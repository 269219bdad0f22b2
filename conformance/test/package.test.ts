import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { startReferenceServer } from '../../reference-server/index.js';
import { packageFile } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';
import { install, onlyLinks, pack, run, weigh } from './installing.js';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
}

const folder = scratch();
const project = join(folder, 'project');
let { unpacked, files, copied }: Awaited<ReturnType<typeof pack>> = { unpacked: '', files: [], copied: [] };
let manifest: Manifest;

beforeAll(async () => {
  ({ unpacked, files, copied } = await pack(folder));
  manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  install(project, Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
  // What npm does with the bin of a package.
  const main = join(unpacked, manifest.bin['hydrauth'] as string);
  mkdirSync(join(project, 'node_modules', '.bin'));
  chmodSync(main, 0o755);
  symlinkSync(main, join(project, 'node_modules', '.bin', 'hydrauth'));
});

const entries = () => Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry]));

describe('the tarball', () => {
  test('holds what users need, and nothing else', () => {
    const allowed = [
      /^(package\.json|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md)$/,
      /^docs\/(decisions\/)?[\w-]+\.md$/,
      /^docs\/images\/[\w-]+\.(png|svg)$/,
      /^spec\/[\w.]+\.(yaml|schema\.json)$/,
      /^conformance\/((report\/report|fleet\/fleet)\.schema\.json|postman\/hydrauth\.postman_collection\.json|client\/scenarios\.yaml)$/,
      /^conformance\/report\/html\/\w+\.css$/,
      /^fixtures\/helpers\/(Containerfile|pytest\/(pyproject\.toml|hydrauth_server\/[\w.]+)|go\/(go\.mod|hydrauth\.go)|junit\/(pom\.xml|src\/main\/.+))$/,
      /^reference-server\/control\/page\/browser\/.+\.(js|css|html)$/,
      /^dist\/(?!spec\/generate\/|conformance\/generate|fixtures\/clients\/|.*(\/test\/|sample|\.test\.)).*(\.js|\.d\.ts)$/,
    ];
    const wanted = copied.filter((file) => allowed.some((pattern) => pattern.test(file)));
    expect([...files].sort()).toEqual([...wanted].sort());
    expect(allowed.filter((pattern) => !wanted.some((file) => pattern.test(file)))).toEqual([]);
  });

  test('begins its README with a command that npx runs, and leads nowhere outside of it', () => {
    const text = (file: string) => readFileSync(join(project, 'node_modules', 'hydrauth', file), 'utf8');
    expect(/```sh\n(.*)/.exec(text('README.md'))?.[1]).toMatch(/^npx hydrauth /);
    const pages = files.filter((file) => file.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link]) => [page, join(dirname(page), link as string)] as const),
    );
    expect(links.length).toBeGreaterThan(100);
    const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
    expect(links.filter(([, path]) => !isThere(path))).toEqual([]);
  });

  test('holds no code that nothing in it uses', () => {
    const root = join(project, 'node_modules', 'hydrauth');
    const used = new Set<string>();
    const follow = (file: string) => {
      if (used.has(file)) return;
      used.add(file);
      for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"`](\.{1,2}\/[^'"`\s]+\.js)['"`]/g)) {
        const next = resolve(dirname(file), path as string);
        if (statSync(next, { throwIfNoEntry: false })?.isFile()) follow(next);
      }
    };
    const livePage = 'reference-server/control/page/browser/live.js';
    for (const path of [...entries().map((entry) => entry.default), ...Object.values(manifest.bin), livePage]) follow(join(root, path));
    // A file of types alone has no code; its types may be used.
    const isCode = (file: string) =>
      readFileSync(join(root, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .trim() !== 'export {};';
    const code = files.filter((file) => file.endsWith('.js') && isCode(file));
    expect(code.filter((file) => !used.has(join(root, file)))).toEqual([]);
  });
});

describe('installed in an empty project', () => {
  const hydrauth = (...args: string[]) => run(join(project, 'node_modules', '.bin', 'hydrauth'), args, project, onlyLinks);

  test('the command tells its version and prints its documents', async () => {
    expect(await hydrauth('--version')).toEqual({ code: 0, text: `${manifest.version}\n` });
    const exported = await hydrauth('export', 'postman');
    expect(JSON.parse(exported.text)).toHaveProperty('info.schema');
    expect((await hydrauth('export', 'openapi')).text).toBe(readFileSync(packageFile('spec', 'openapi.yaml'), 'utf8'));
  });

  test('the command judges a server with every engine', async () => {
    await using server = await startReferenceServer({ users: [{ id: 1, paraphrase: 'secret' }], collections: ['people'] });
    const call = ['check', server.url, '--collection', 'people', '--user', '1:secret', '--only', 'challenge.body', '--runs', '1'];
    const { code, text } = await hydrauth(...call, '--json', 'report.json');
    expect(text).toContain('Conformant: ');
    expect(code).toBe(0);
    const { requirements } = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8'));
    expect(new Set(requirements[0].checks.map((check: { engine: string }) => check.engine))).toEqual(new Set(['laws', 'postman']));
  });

  test('every export but vitest loads in plain JavaScript without vitest, and works', async () => {
    writeFileSync(
      join(project, 'use.mjs'),
      `import { exitCode, runConformance } from 'hydrauth';
import { hydraClient } from 'hydrauth/client';
import { createReferenceServer, manualClock, startReferenceServer, systemClock } from 'hydrauth/reference-server';
import { hydraAuth } from 'hydrauth/hapi';
import { spec } from 'hydrauth/spec';
import manifest from 'hydrauth/package.json' with { type: 'json' };
const builtIn = [JSON.stringify, Array.prototype.push];
const server = await startReferenceServer({ clock: manualClock() });
const report = await runConformance({ baseUrl: server.url, collections: server.collections, users: ['1:correct horse battery staple'], engine: 'laws', only: ['challenge.body', 'jsonld.expands'] });
const { statusCode } = await createReferenceServer({ clock: systemClock() }).inject('/api/books');
const { status } = await hydraClient({ baseUrl: server.url, user: 1, paraphrase: 'correct horse battery staple' }).fetch('books');
console.log(JSON.stringify([report.verdict, exitCode(report), statusCode, status, spec.protocol.token.lifetimeMs, manifest.version, hydraAuth.name, JSON.stringify === builtIn[0] && [].push === builtIn[1]]));
await server.close();
`,
    );
    const { text } = await run(process.execPath, ['--no-warnings', 'use.mjs'], project, onlyLinks);
    expect(JSON.parse(text)).toEqual(['conformant', 0, 401, 200, 2_700_000, manifest.version, 'hydrauth', true]);
  });
});

describe('installed with --omit=optional', () => {
  const bare = join(folder, 'bare');
  beforeAll(() => {
    cpSync(join(project, 'node_modules', 'hydrauth'), join(bare, 'node_modules', 'hydrauth'), { recursive: true });
    install(bare, Object.keys(manifest.dependencies));
  });
  const check = async (...args: string[]) => {
    await using server = await startReferenceServer({ users: [{ id: 1, paraphrase: 'secret' }], collections: ['people'] });
    const main = join('node_modules', 'hydrauth', manifest.bin['hydrauth'] as string);
    const call = ['check', server.url, '--collection', 'people', '--user', '1:secret', '--only', 'challenge.body', '--runs', '1'];
    // Without await the server would be closed before the command has asked it.
    return await run(process.execPath, [main, ...call, ...args], bare, onlyLinks);
  };

  test('it is about as many megabytes as the README says, with and without', () => {
    const said = [...readFileSync(packageFile('README.md'), 'utf8').matchAll(/some (\d+) MB/g)].map(([, megabytes]) => Number(megabytes));
    const away = [weigh(project), weigh(bare)].map((megabytes, at) => Math.abs(megabytes - (said[at] ?? 0)));
    expect([said.length, Math.max(...away) <= 3]).toEqual([2, true]);
  });

  test('check judges with the laws, and says in one line that the collection was not run and how to get it', async () => {
    const { code, text } = await check('--json', 'report.json');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'The Postman collection was not run because Newman is not installed. To run it as well: npm install newman',
    );
    expect(text).toContain('Conformant: ');
    expect(code).toBe(0);
    const { kit, requirements } = JSON.parse(readFileSync(join(bare, 'report.json'), 'utf8'));
    expect([kit.engines, requirements[0].outcome]).toEqual([['laws'], 'pass']);
  });

  test('--engine postman is a wrong call, and says what to install', async () => {
    const { code, text } = await check('--engine', 'postman');
    expect(text).toContain('npm install newman');
    expect(code).toBe(2);
  });
});

// The types of Hapi import those of joi, which its package does not say.
describe('installed beside TypeScript and Vitest', () => {
  beforeAll(() => install(project, ['typescript', '@types/node', 'vitest', 'joi']));

  test('every export has types, also without skipLibCheck', async () => {
    const options = { module: 'NodeNext', target: 'ES2023', lib: ['ES2023', 'ESNext.Disposable'], types: ['node'], preserveSymlinks: true };
    const compilerOptions = { ...options, strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    writeFileSync(
      join(project, 'use.ts'),
      `import { exitCode, runConformance, type Report } from 'hydrauth';
import { type HydraClient, hydraClient, LoginRefused } from 'hydrauth/client';
import { createReferenceServer, manualClock, startReferenceServer, type RunningServer } from 'hydrauth/reference-server';
import { hydraAuth } from 'hydrauth/hapi';
import { spec, type Spec } from 'hydrauth/spec';
import { describeConformance } from 'hydrauth/vitest';

export async function use(): Promise<0 | 1 | 3> {
  const clock = manualClock('2030-01-01T00:00:00Z');
  await using server: RunningServer = await startReferenceServer({ clock, users: [{ id: 1, paraphrase: 'secret' }] });
  const report: Report = await runConformance({ baseUrl: server.url, collections: server.collections, users: ['1:secret'] });
  const afterMs: number = clock.advance({ minutes: 45 });
  const { statusCode } = await createReferenceServer().inject('/api');
  const status: number = statusCode + afterMs;
  describeConformance({ name: 'mine', target: async () => ({ baseUrl: server.url }), onReport: ({ verdict }) => verdict });
  const copy: Spec = spec;
  await server.hapi.register({ plugin: hydraAuth, options: { users: async (id) => (id === 1 ? 'hash' : undefined) } });
  server.hapi.route({ method: 'GET', path: '/mine', handler: ({ auth }): number => auth.credentials.user.id });
  // @ts-expect-error: users must be given
  await server.hapi.register({ plugin: hydraAuth, options: {} });
  const api: HydraClient = hydraClient({ baseUrl: server.url, user: 1, paraphrase: 'secret', fetch });
  const read: number = await api.fetch('books', { method: 'HEAD' }).then((answer) => answer.status, (error) => (error instanceof LoginRefused ? error.status : 0));
  // @ts-expect-error: a paraphrase is a text
  hydraClient({ baseUrl: server.url, user: 1, paraphrase: read });
  // @ts-expect-error: no such option
  await startReferenceServer({ usres: [] });
  // @ts-expect-error: collections are texts
  await runConformance({ baseUrl: server.url, collections: [status] });
  // @ts-expect-error: frozen
  copy.protocol = spec.protocol;
  return exitCode(report);
}
`,
    );
    const { code, text } = await run(process.execPath, [packageFile('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], project);
    expect({ code, text }).toEqual({ code: 0, text: '' });
  });

  const example = (folder: string, file: string) => {
    copyFileSync(packageFile('fixtures', 'helpers', folder, file), join(project, `${folder}-${file}`));
    return `${folder}-${file}`;
  };

  const jest = needs('jest');
  test.skipIf(jest.skip)(
    `the reference server is used in Jest${jest.note}`,
    async () => {
      const words = ['--rootDir', project, '--testMatch', `**/${example('jest', 'client.test.cjs')}`];
      const { code, text } = await run(jest.path, words, project, { NODE_OPTIONS: '--experimental-vm-modules' });
      expect(text).toMatch(/Tests:\s+2 passed/);
      expect(code).toBe(0);
    },
    60_000,
  );

  test('the reference server can be required', async () => {
    const program = "require('hydrauth/reference-server').startReferenceServer().then((server) => server.close())";
    expect(await run(process.execPath, ['--no-warnings', '-e', program], project, onlyLinks)).toEqual({ code: 0, text: '' });
  });
});
