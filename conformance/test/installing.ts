import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFile } from '../../spec/index.js';
import { isBuilt } from './command.js';

export interface Ran {
  readonly code: number;
  readonly text: string;
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const { CI: _, VITEST: __, NODE_OPTIONS: ___, ...own } = process.env;
  return new Promise((resolve) => {
    execFile(file, [...args], { cwd, env: { ...own, NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** Packs a copy of the repository, built, and gives the folder into which the tarball was unpacked, the files in it and those of the copy. */
export async function pack(folder: string) {
  const copy = join(folder, 'copy');
  const left = ['node_modules', 'dist', '.git'].map((name) => packageFile(name));
  cpSync(packageFile(), copy, { recursive: true, filter: (from) => !left.includes(from) && !from.includes('node_modules') });
  await build(join(copy, 'dist'));
  const packed = await run('npm', ['pack', '--offline', '--ignore-scripts', '--silent', '--pack-destination', folder], copy);
  if (packed.code !== 0) throw new Error(packed.text);
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) as string);
  const unpacked = join(folder, 'project', 'node_modules', 'hydrauth');
  mkdirSync(unpacked, { recursive: true });
  await run('tar', ['xzf', tarball, '-C', unpacked, '--strip-components=1'], folder);
  const filesIn = (root: string): readonly string[] =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(root, file)).isFile());
  return { unpacked, files: filesIn(unpacked), copied: filesIn(copy) };
}

/** The build of `npm run build`, or another when the sources have changed since. */
async function build(dist: string): Promise<void> {
  if (isBuilt()) return cpSync(packageFile('dist'), dist, { recursive: true });
  const tsc = packageFile('node_modules', 'typescript', 'bin', 'tsc');
  const { code, text } = await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', dist], packageFile());
  if (code !== 0) throw new Error(text);
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Puts packages and all that they depend on into a project, as npm would install them but without a registry: as links to those that are
 * installed here. What no package declares is not there. Programs are to look no further than the links (see `onlyLinks`).
 */
export function install(project: string, names: Iterable<string>): void {
  const { packages } = JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
  const wanted = [...names];
  for (const name of wanted) {
    const locked = packages[`node_modules/${name}`];
    const link = join(project, 'node_modules', name);
    if (locked === undefined || existsSync(link) || !existsSync(packageFile('node_modules', name))) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(packageFile('node_modules', name), link);
    const nested = Object.entries(packages).filter(([path]) => path.startsWith(`node_modules/${name}/node_modules/`));
    for (const { dependencies, peerDependencies } of [locked, ...nested.map(([, each]) => each)])
      wanted.push(...Object.keys(dependencies ?? {}), ...Object.keys(peerDependencies ?? {}));
  }
}

/** How many megabytes a project has installed beside hydrauth. */
export function weigh(project: string): number {
  const sizeOf = (path: string): number => {
    const found = statSync(path);
    return found.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : found.size;
  };
  const modules = join(project, 'node_modules');
  const names = readdirSync(modules).filter((name) => !name.startsWith('.') && name !== 'hydrauth');
  return names.reduce((sum, name) => sum + sizeOf(join(modules, name)), 0) / 1e6;
}

export const onlyLinks = { NODE_OPTIONS: '--preserve-symlinks' };
