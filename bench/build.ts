import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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
