import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { count, spec } from '../../spec/index.js';
import { entriesText, type Report, readBaseline, updatedEntries, writeWhole } from '../report/index.js';
import type { Io } from './io.js';

/** Writes the entries that the next run needs to pass; gives false when there are none to write or they cannot be written. */
export function writeBaseline(report: Report, file: string, io: Pick<Io, 'cwd' | 'err'>): boolean {
  const path = resolve(io.cwd, file);
  const complain = (why: string) => {
    io.err(`hydrauth: --write-baseline ${file} was not written: ${why}\n`);
    return false;
  };
  if (report.verdict === 'error' || report.verdict === 'incomplete') return complain('the run gave no verdict.');
  try {
    const before = existsSync(path) ? readBaseline(path, spec.catalogue) : [];
    const entries = updatedEntries(report, before);
    writeWhole(path, `${entriesText(entries)}\n`);
    io.err(`${file} has ${count(entries.length, 'entry', 'entries')} now. Say in each why the failure is accepted.\n`);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return complain(code === undefined || code.startsWith('HYDRAUTH') ? message : `${code}.`);
  }
}
