import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** A build of its own: another one that runs meanwhile must not change what is measured. */
const folder = join(root, '.cache', 'bench', 'dist');

export const cli = join(folder, 'conformance', 'cli', 'main.js');

export function build(): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', folder, '--declaration', 'false'], {
    cwd: root,
    stdio: 'inherit',
  });
}

/** The address of a built module, to import it as its users do. */
export function built(...path: string[]): string {
  return pathToFileURL(join(folder, ...path)).href;
}

/** Runs a command from start to end and gives the seconds it took. It must end with 0, as a user would want. */
export async function timeCommand(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const startMs = performance.now();
  const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env }, maxBuffer: 2 ** 28 };
  await promisify(execFile)(process.execPath, words, options);
  return (performance.now() - startMs) / 1000;
}
