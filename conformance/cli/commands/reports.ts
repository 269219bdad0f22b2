import { basename, resolve } from 'node:path';
import { reportFormats } from '../../option-table.js';
import * as reports from '../../report/index.js';
import { type Args, CallError } from '../command.js';
import type { Io } from '../io.js';
import { inTerminal, tryToWrite, writeFileOf, writeReports } from '../reporting.js';

/** Turns a report in JSON into the other formats. */
export async function report(args: Args, io: Io): Promise<number> {
  const [file = ''] = args.positionals;
  tryToWrite(args, io, reportFormats);
  const read = reports.readReport(resolve(io.cwd, file));
  if (!reportFormats.some((name) => args.given(name))) io.out(inTerminal(read, args, io, file));
  if (!writeReports(read, args, io, file)) throw new CallError('not everything could be written');
  return 0;
}

/** States the result of a report for an artefact. */
export async function attest(args: Args, io: Io): Promise<number> {
  const subjects = args.texts('subject').map((text) => {
    const [, name, sha256] = /^(.+)@sha256:([0-9a-f]{64})$/.exec(text) ?? [];
    if (name === undefined || sha256 === undefined)
      throw new CallError(`--subject is ${JSON.stringify(text)}; NAME@sha256:HEX with 64 digits is expected`);
    return { name, digest: { sha256 } };
  });
  if (subjects.length === 0) throw new CallError('--subject is missing: --subject NAME@sha256:HEX names what was judged');
  const file = resolve(io.cwd, args.positionals[0] ?? '');
  const text = reports.readText(file, 'a report in JSON is expected');
  io.out(reports.jsonText(reports.attestation(reports.parseReport(text, file), text, subjects)));
  return 0;
}

type Matrix = ReturnType<typeof reports.compareReports>;

/** Sets reports side by side. */
export async function compare(args: Args, io: Io): Promise<number> {
  const isHeld = args.flag('fail-on-worse');
  tryToWrite(args, io, ['output', 'json']);
  if (isHeld && args.positionals.length < 2)
    throw new CallError('--fail-on-worse needs two reports or more: the first is what the others are held against');
  const named = namesOf(args.positionals).map(([name, file]) => ({ name, report: reports.readReport(resolve(io.cwd, file)) }));
  const matrix = reports.compareReports(named);
  const output = args.text('output');
  const isHtml = args.given('format') ? args.text('format') === 'html' : /\.html?$/i.test(output ?? '');
  const text = isHtml ? reports.matrixHtml(matrix) : reports.matrixMarkdown(matrix);
  const worse = worseThanFirst(matrix);
  writeFileOf('json', comparisonJson(matrix, named, worse), args, io);
  writeFileOf('output', text, args, io);
  if (output === undefined && args.text('json') !== '-') io.out(text);
  if (!isHeld) return 0;
  const unjudged = lostVerdict(matrix);
  for (const { id, report: name, was, is } of worse) io.err(`${id} got worse in ${name}: ${was}, now ${is}\n`);
  for (const { name, verdict } of unjudged) io.err(`${name} has no verdict any more (${verdict})\n`);
  return worse.length + unjudged.length > 0 ? 1 : 0;
}

/** From good to bad. What was not judged in one of two reports is neither better nor worse, but a MUST that passed and can no longer be tested is. */
const order: readonly (reports.Outcome | 'skipped' | null)[] = ['pass', 'flaky', 'warn', 'known-failure', 'fail'];

function worseThanFirst({ requirements, columns }: Matrix) {
  return requirements.flatMap(({ id, level, outcomes: [was = null, ...later] }) =>
    later.flatMap((is, index) => {
      const isLost = level === 'MUST' && was === 'pass' && is === 'untested';
      const isWorse = isLost || (order.includes(was) && order.indexOf(is) > order.indexOf(was));
      return isWorse ? [{ id, report: columns[index + 1]?.name, was, is }] : [];
    }),
  );
}

/** Later reports without a verdict, where the first has one: nothing can be said of what they did not judge. */
function lostVerdict({ columns: [first, ...later] }: Matrix): Matrix['columns'][number][] {
  const isNone = ({ verdict }: Matrix['columns'][number]) => verdict === 'error' || verdict === 'incomplete';
  return first === undefined || isNone(first) ? [] : later.filter(isNone);
}

/** The outcomes alone: what showed a failure stands in the reports. */
function comparisonJson(matrix: Matrix, named: readonly reports.NamedReport[], worse: ReturnType<typeof worseThanFirst>): string {
  const { columns, requirements, profiles, observations } = matrix;
  const implementations = columns.map(({ name, verdict, counts, skipped }, index) => {
    return { name, target: named[index]?.report.target, verdict, counts, skipped };
  });
  const rows = requirements.map(({ id, level, step, statement, outcomes, differs }) => ({ id, level, step, statement, outcomes, differs }));
  return reports.jsonText({ implementations, requirements: rows, profiles, observations, worse });
}

/** Each file with the name it gets; files of the same name get their whole paths. */
function namesOf(files: readonly string[]): (readonly [name: string, file: string])[] {
  const names = files.map((file) => basename(file).replace(/\.json$/i, ''));
  return files.map((file, index) => {
    const name = names[index] as string;
    return [names.filter((other) => other === name).length === 1 ? name : file, file];
  });
}
