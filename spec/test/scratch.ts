import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for files of a test. */
export const scratch = (): string => mkdtempSync(join(tmpdir(), 'hydrauth-'));

/** A file of a test, in a folder of its own unless one is given. */
export function scratchFile(name: string, text: string, folder = scratch()): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Whatever the tests and the programs they start leave in the temporary folder is in one, which goes at their end. */
export default function oneFolder(): () => void {
  // Each project of Vitest calls it.
  if (process.env['TMPDIR']?.includes('hydrauth-')) return () => {};
  const folder = scratch();
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
