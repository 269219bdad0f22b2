import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../spec/index.js';
import { scratch } from '../../spec/test/scratch.js';
import { actionFile, type Step } from './acting.js';
import { run } from './installing.js';

const read = (...path: string[]) => readFileSync(packageFile(...path), 'utf8');
const pack = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  overrides: Record<string, unknown>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const { packages: locked } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { integrity?: string; resolved?: string; link?: boolean; dev?: boolean; hasInstallScript?: boolean }>;
};
const workflows = readdirSync(packageFile('.github', 'workflows')).map((name) => {
  const text = read('.github', 'workflows', name);
  return [name, text, parse(text) as Workflow] as const;
});
const stepsOfWorkflows = workflows.flatMap(([, , { jobs }]) => Object.values(jobs).flatMap(({ steps }) => steps));
const steps: readonly Step[] = [...actionFile.runs.steps, ...stepsOfWorkflows];

interface Component {
  readonly name: string;
  readonly properties?: readonly { readonly name: string }[];
}

interface Workflow {
  readonly permissions?: Record<string, string>;
  readonly jobs: Record<
    string,
    { readonly permissions?: Record<string, string>; readonly steps: readonly (Step & { readonly with?: object })[] }
  >;
}

test.each(workflows)(
  'the workflow %s may read the contents and no more, but for the identity of a release',
  (name, _, { permissions, jobs }) => {
    expect(permissions).toBeDefined();
    const granted = [permissions, ...Object.values(jobs).map((job) => job.permissions)].flatMap((each) => Object.entries(each ?? {}));
    const writing = granted.filter(([what, how]) => !(what === 'contents' && how === 'read'));
    expect(writing).toEqual(name === 'release.yml' ? [['id-token', 'write']] : []);
  },
);

test('a release names the repository that it is built in', async () => {
  const { jobs } = parse(read('.github', 'workflows', 'release.yml')) as Workflow;
  const lines = jobs['publish']?.steps.map((step) => step.run ?? '') ?? [];
  const naming = lines.find((line) => line.includes('repository')) ?? '';
  expect(lines.indexOf(naming)).toBeLessThan(lines.findIndex((line) => line.startsWith('npm publish')));
  const folder = scratch();
  cpSync(packageFile('package.json'), join(folder, 'package.json'));
  const github = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'someone/hydrauth' };
  await run('bash', ['-c', naming], folder, github);
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(repository).toEqual({ type: 'git', url: 'git+https://github.com/someone/hydrauth.git' });
});

test('a release begins with a tag, has provenance and no stored token, and workflows install what the lock file names', () => {
  const release = read('.github', 'workflows', 'release.yml');
  expect(parse(release).on).toEqual({ push: { tags: ['v*'] } });
  expect(release).toContain('npm publish --provenance');
  expect(release).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
  const installs = workflows.flatMap(([, text]) => text.match(/npm (i|install|add|ci)\b.*/g) ?? []);
  expect(installs.length).toBeGreaterThan(2);
  expect(installs.filter((line) => !line.startsWith('npm ci'))).toEqual([]);
});

test('the action and the workflows paste nothing into a shell line', () => {
  expect(steps.filter(({ run: line }) => line?.includes('${{'))).toEqual([]);
});

test('they pin every action by its commit, the same everywhere', () => {
  const used = [...new Set(steps.flatMap(({ uses }) => (uses === undefined || uses.startsWith('./') ? [] : [uses])))];
  expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  expect(new Set(used.map((uses) => uses.split('@')[0])).size).toBe(used.length);
});

test('the action hands every input on, and is used on the reference server with inputs that it has', () => {
  const handed = JSON.stringify(actionFile.runs.steps);
  expect(Object.keys(actionFile.inputs).filter((input) => !handed.includes(`inputs.${input} `))).toEqual([]);
  const { with: given = {} } = stepsOfWorkflows.find(({ uses }) => uses === './') ?? {};
  expect(Object.keys(given).filter((input) => !(input in actionFile.inputs))).toEqual([]);
  expect(given).toMatchObject({ version: 'local' });
});

test('neither the package nor what it needs has install scripts', () => {
  const names = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(names.filter((name) => name in pack.scripts)).toEqual([]);
  const needed = Object.entries(locked).filter(([, { dev }]) => dev !== true);
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
});

test('direct dependencies have exact versions', () => {
  const versions = Object.entries({ ...pack.dependencies, ...pack.optionalDependencies, ...pack.devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('every locked package has a checksum, and none names a host', () => {
  const packages = Object.entries(locked).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);
  expect(packages.length).toBeGreaterThan(100);
  const wrong = packages.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined);
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test('every override has its reason', () => {
  const reasons = read('docs', 'decisions', 'supply-overrides.md');
  const version = (value: unknown) => (typeof value === 'string' ? ` ${value}` : '');
  const named = Object.entries(pack.overrides).map(([name, value]) => (typeof value === 'string' ? `\`${name}\`${version(value)}` : name));
  expect(named.filter((each) => !reasons.includes(each))).toEqual([]);
});

// Not with --omit dev: npm then leaves out what a development dependency needs, too.
test('npm writes a bill of materials in which what is for development only is marked', async () => {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--loglevel=error'];
  const { components } = JSON.parse((await run('npm', words, packageFile())).text) as { components: Component[] };
  const isMarked = ({ properties = [] }: Component) => properties.some(({ name }) => name === 'cdx:npm:package:development');
  const used = new Set(components.filter((each) => !isMarked(each)).map(({ name }) => name));
  expect(Object.keys({ ...pack.dependencies, ...pack.optionalDependencies }).filter((name) => !used.has(name))).toEqual([]);
  expect(Object.keys(pack.devDependencies).filter((name) => used.has(name))).toEqual([]);
});

test('versions that are held back have their reason', () => {
  const reasons = read('docs', 'decisions', 'supply-held-back.md');
  const held = ['@types/node', 'typescript', '@biomejs/biome', 'vitest'];
  expect(held.filter((name) => !reasons.includes(`| \`${name}\` | ${pack.devDependencies[name]?.split('.')[0]}.`))).toEqual([]);
});
