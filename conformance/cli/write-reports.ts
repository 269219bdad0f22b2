import { resolve } from 'node:path';
import { earlReport, htmlReport, jsonReport, junitReport, markdownReport, type Report, writeWhole } from '../report/index.js';
import type { Args } from './command.js';
import type { Io } from './io.js';

/** `json` is the file with the report in JSON, where there is one. It is written first, because the others name it. */
const writers: Readonly<Record<string, (report: Report, json: string | undefined) => string>> = {
  json: (report) => jsonReport(report),
  junit: (report, json) => junitReport(report, { json }),
  earl: (report) => earlReport(report),
  html: (report, json) => htmlReport(report, { json }),
  markdown: (report, json) => markdownReport(report, { json }),
};

/** Writes every report that was asked for; gives false when one could not be written. `json` is where the report stands, if it does. */
export function writeReports(report: Report, args: Pick<Args, 'text'>, io: Pick<Io, 'cwd' | 'err'>, json = args.text('json')): boolean {
  let written = true;
  let standing = json;
  for (const [name, write] of Object.entries(writers)) {
    const file = args.text(name);
    if (file === undefined) continue;
    try {
      writeWhole(resolve(io.cwd, file), write(report, standing));
    } catch (error) {
      written = false;
      if (file === json) standing = undefined;
      io.err(`hydrauth: --${name} ${file} could not be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).\n`);
    }
  }
  return written;
}
