import { basename, resolve } from 'node:path';
import type { compareReports, NamedReport, Outcome } from '../../report/index.js';
import { type Args, CallError, command } from '../command.js';
import { tryToWrite, writeFileOf } from '../files.js';

export const compare = command({
  name: 'compare',
  summary: 'Set the reports of several services side by side.',
  positionals: [{ name: 'report.json', text: 'Reports written by check --json.', many: true }],
  examples: [
    ['hydrauth compare a.json b.json --output matrix.html', 'Two services as one page.'],
    ['hydrauth compare before.json after.json --fail-on-worse', 'Fail when something got worse.'],
  ],
  exitCodes: {
    0: 'Written.',
    1: 'With --fail-on-worse: a requirement came out worse than in the first report, or a later report has no verdict.',
    2: 'The call is wrong, or a file is no report.',
  },
  async run(args, io) {
    const { compareReports, matrixHtml, matrixMarkdown, readReport } = await import('../../report/index.js');
    if (args.flag('fail-on-worse') && args.positionals.length < 2)
      throw new CallError('--fail-on-worse needs two reports or more: the first is what the others are held against');
    const reports = namesOf(args.positionals).map(([name, file]) => ({ name, report: readReport(resolve(io.cwd, file)) }));
    const matrix = compareReports(reports);
    const text = wantsHtml(args) ? matrixHtml(matrix) : matrixMarkdown(matrix);
    const file = args.text('output');
    const json = args.text('json');
    const worse = worseThanFirst(matrix);
    const whole = comparisonJson(matrix, reports, worse);
    tryToWrite(args, io, ['output', 'json']);
    await writeFileOf('json', whole, args, io);
    await writeFileOf('output', text, args, io);
    if (file === undefined && json !== '-') io.out(text);
    if (args.flag('fail-on-worse'))
      for (const { id, report, was, is } of worse) io.err(`${id} got worse in ${report}: ${was}, now ${is}\n`);
    const unjudged = args.flag('fail-on-worse') ? lostVerdict(matrix) : [];
    for (const { name, verdict } of unjudged) io.err(`${name} has no verdict any more (${verdict})\n`);
    return args.flag('fail-on-worse') && worse.length + unjudged.length > 0 ? 1 : 0;
  },
});

type Matrix = ReturnType<typeof compareReports>;

/** From good to bad. What was not judged in one of two reports is neither better nor worse, but a MUST that passed and can no longer be tested is. */
const order: readonly (Outcome | 'skipped' | null)[] = ['pass', 'flaky', 'warn', 'known-failure', 'fail'];

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
function comparisonJson(
  { columns, requirements, profiles, observations }: Matrix,
  reports: readonly NamedReport[],
  worse: ReturnType<typeof worseThanFirst>,
): string {
  const implementations = columns.map(({ name, verdict, counts, skipped }, index) => {
    return { name, target: reports[index]?.report.target, verdict, counts, skipped };
  });
  const rows = requirements.map(({ id, level, step, statement, outcomes, differs }) => ({ id, level, step, statement, outcomes, differs }));
  return `${JSON.stringify({ implementations, requirements: rows, profiles, observations, worse }, null, 2)}\n`;
}

/** Each file with the name it gets; files of the same name get their whole paths. */
function namesOf(files: readonly string[]): (readonly [name: string, file: string])[] {
  const names = files.map((file) => basename(file).replace(/\.json$/i, ''));
  return files.map((file, index) => {
    const name = names[index] as string;
    return [names.filter((other) => other === name).length === 1 ? name : file, file];
  });
}

function wantsHtml(args: Args): boolean {
  if (args.given('format')) return args.text('format') === 'html';
  return /\.html?$/i.test(args.text('output') ?? '');
}
