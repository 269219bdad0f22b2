import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { earlReport, htmlReport, jsonReport, junitReport, markdownReport, type Report } from '../report/index.js';
import type { Args } from './command.js';
import type { Io } from './io.js';

const writers: Readonly<Record<string, (report: Report, strict: boolean) => string>> = {
  json: jsonReport,
  junit: (report, strict) => junitReport(report, { strict }),
  earl: earlReport,
  html: htmlReport,
  markdown: markdownReport,
};

/** Writes every report that was asked for; gives false when one could not be written. */
export function writeReports(report: Report, args: Pick<Args, 'text'>, io: Pick<Io, 'cwd' | 'err'>, strict: boolean): boolean {
  let written = true;
  for (const [name, write] of Object.entries(writers)) {
    const file = args.text(name);
    if (file === undefined) continue;
    try {
      const path = resolve(io.cwd, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, write(report, strict));
    } catch (error) {
      written = false;
      io.err(`hydrauth: --${name} ${file} could not be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).\n`);
    }
  }
  return written;
}
