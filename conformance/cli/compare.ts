import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { compareReports, InputFileError, matrixHtml, matrixMarkdown, type NamedReport, readReport } from '../report/index.js';
import { type Args, CallError, type Run } from './command.js';
import type { Io } from './io.js';

export const run: Run = async (args, io) => {
  const matrix = compareReports(namedReports(args.positionals, io.cwd));
  const text = wantsHtml(args) ? matrixHtml(matrix) : matrixMarkdown(matrix);
  const file = args.text('output');
  if (file === undefined) io.out(text);
  else write(file, text, io);
  return 0;
};

/** Each report under the name of its file; files of the same name under their whole paths. */
function namedReports(files: readonly string[], cwd: string): NamedReport[] {
  const names = files.map((file) => basename(file).replace(/\.json$/i, ''));
  return files.map((file, index) => {
    const name = names[index] as string;
    return { name: names.filter((other) => other === name).length === 1 ? name : file, report: read(resolve(cwd, file)) };
  });
}

function read(path: string): NamedReport['report'] {
  try {
    return readReport(path);
  } catch (error) {
    throw error instanceof InputFileError ? new CallError(error.message) : error;
  }
}

function wantsHtml(args: Args): boolean {
  if (args.given('format')) return args.text('format') === 'html';
  return /\.html?$/i.test(args.text('output') ?? '');
}

function write(file: string, text: string, { cwd }: Pick<Io, 'cwd'>): void {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CallError(`--output ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
