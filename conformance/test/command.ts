import { existsSync, readdirSync, statSync } from 'node:fs';
import { packageFile } from '../../spec/index.js';

const sources = ['spec', 'reference-server', 'conformance', 'fixtures'];
const built = packageFile('dist', 'conformance', 'cli', 'main.js');

let known: boolean | undefined;

/** Whether `npm run build` came after the last change of a source. */
export function isBuilt(): boolean {
  known ??= isBuiltNow();
  return known;
}

function isBuiltNow(): boolean {
  const changedMs = sources
    .flatMap((folder) => readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((file) => packageFile(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.includes('/test/'))
    .map((file) => statSync(file).mtimeMs);
  return existsSync(built) && statSync(built).mtimeMs > Math.max(...changedMs);
}

/** The words that start the command in a process of its own: as it was built, which starts soonest, or from its sources. */
export const command: readonly [string, ...string[]] = isBuilt()
  ? [process.execPath, built]
  : [process.execPath, '--import', 'tsx', packageFile('conformance', 'cli', 'main.ts')];
