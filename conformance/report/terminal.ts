import { difference } from './diff.js';
import { type Document, documentOf, type FindingGroup, type StepRows } from './document.js';
import { clip, oneLine, visible } from './escape.js';
import { type Field, type Finding, fieldsOf } from './finding.js';
import { closingLine, outcomesOf } from './headline.js';
import { beside, indent, labelled, type Paint, painter, wrap } from './layout.js';
import type { Outcome, Report } from './report.js';
import { canReplay, replayCommand, stepTitles, tallyWords } from './words.js';

interface TerminalLook extends Partial<Omit<Look, 'paint'>> {
  readonly colour?: boolean;
}

/** How a report is shown. */
interface Look {
  readonly paint: Paint;
  /** Columns; 80 unless given, and never fewer than 40. */
  readonly width: number;
  /** Every requirement, all exchanges, scripts and observations. */
  readonly verbose: boolean;
  /** Nothing is cut, because no person reads it directly. */
  readonly whole: boolean;
  /** The JSON report that is written beside, for a replay. */
  readonly json?: string | undefined;
  /** The page that is written beside. */
  readonly html?: string | undefined;
}

const outcomeStyle = { pass: 'green', fail: 'red', warn: 'yellow', flaky: 'yellow', untested: 'dim', 'known-failure': 'yellow' } as const;
const marks = { pass: 'pass', fail: 'FAIL', warn: 'warn', flaky: 'flaky', untested: 'untested', 'known-failure': 'known' } as const;
const titleWidth = Math.max(...Object.values(stepTitles).map((title) => title.length));
/** The columns of a requirement in a step, and of a field in a finding. */
const columns = { requirement: 18, margin: 3, label: 10 };
/** So much of one field is shown where a person reads; a pipe gets it whole. */
const shownCharacters = 2000;

/** The report for a person at a terminal: what was found first, the verdict last. Nothing from the target can steer the terminal. */
export function terminalReport(report: Report, { colour = false, width = 80, verbose = false, ...more }: TerminalLook = {}): string {
  const look: Look = { whole: false, ...more, paint: painter(colour), width: Math.max(40, width), verbose };
  const document = documentOf(report, look.json);
  const isShown = document.hasVerdict || verbose;
  const sections = [
    heading(document, look),
    ...(isShown ? found(document, look) : []),
    isShown ? [] : document.lists.filter(({ id }) => id === 'remarks').flatMap((each) => listed(each, look)),
    [...baseline(document, look), ...(isShown ? further(document, look) : []), closing(document, look)],
  ];
  return `${sections
    .map((lines) => lines.join('\n').trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

function found(document: Document, look: Look): string[][] {
  return [
    ...(look.verbose ? document.steps.map((step) => [stepLine(step, look), ...everyRequirement(step, look)]) : [steps(document, look)]),
    ...document.findings.map((group) => violations(group, look)),
    document.lists.flatMap((each) => listed(each, look)),
    ...(look.verbose ? [observations(document, look)] : []),
  ];
}

function heading({ kit, target, facts }: Document, { paint, width, verbose }: Look): string[] {
  const told = facts.filter(({ brief }) => verbose || brief).map(({ label, text }) => `${label.toLowerCase()} ${text}`);
  return [
    `${paint('bold', 'hydrauth')} ${kit} ${paint('bold', oneLine(target))}`,
    ...wrap(oneLine(told.join('; ')), width).map((line) => paint('dim', line)),
  ];
}

/** One line a step, unless findings follow, which say more. */
function steps({ steps: all, findings }: Document, look: Look): string[] {
  return findings.length > 0 ? [] : all.map((step) => stepLine(step, look));
}

function stepLine({ title, counts }: StepRows, { paint }: Look): string {
  const words = outcomesOf(counts).map((outcome) => paint(outcomeStyle[outcome], tallyWords(outcome, counts[outcome])));
  return `${paint('bold', title.padEnd(titleWidth))}  ${words.join(', ')}`;
}

/** Every requirement of a step: how it ended, and what a pass rests upon. */
function everyRequirement({ rows }: StepRows, { paint, width }: Look): string[] {
  return rows.flatMap(({ id, level, outcome, restsOn, statement }) => {
    const [first = '', ...others] = wrap(`${oneLine(id)}  ${oneLine(restsOn ?? statement)}`, Math.max(20, width - columns.requirement));
    const head = `  ${paint(outcomeStyle[outcome], marks[outcome].padEnd(9))}${paint('dim', level.padEnd(7))}${first}`;
    return [head, ...indent(others, columns.requirement + 2)];
  });
}

function violations({ title, outcome, findings }: FindingGroup, look: Look): string[] {
  return [
    look.paint('bold', `${title} (${findings.length})`),
    ...findings.flatMap((finding, index) => violation(finding, `${look.paint(tone(outcome), `${index + 1}.`)}`, look)),
  ];
}

const tone = (outcome: Outcome) => (outcome === 'fail' ? 'red' : 'yellow');

/** A violation explained. */
function violation(finding: Finding, number: string, look: Look): string[] {
  const { paint, width, verbose } = look;
  const { id, level, section, statement } = finding.row;
  const [first] = finding.ways;
  const rate = first === undefined || first.rate === '' || verbose ? '' : `; ${first.rate}`;
  const fields = fieldsOf(finding).filter(({ only }) => only !== (verbose ? 'short' : 'long'));
  return [
    `${number} ${paint('bold', oneLine(id))}  ${paint('dim', `${level}, section ${section}${rate}`)}`,
    ...indent(
      [...wrap(statement, width - columns.margin), ...fields.flatMap((each, at) => row(each, look, fields[at - 1]))],
      columns.margin,
    ),
    ...(verbose ? [''] : []),
  ];
}

function row({ label, text, script }: Field, { paint, width, whole }: Look, before: Field | undefined): string[] {
  const shown = visible(whole || script === true ? text : clip(text, shownCharacters));
  if (script === true) return [paint('dim', label), ...indent(shown.trimEnd().split('\n'), 2)];
  const [first = '', ...others] = labelled(label, shown, { width: width - columns.margin, labelWidth: columns.label });
  const isActual = label === 'Actual' && before?.label === 'Expected' && others.length === 0;
  const below = isActual ? marksBelow(visible(before.text), shown, width - columns.margin - columns.label) : '';
  return [
    `${paint('dim', first.slice(0, columns.label))}${first.slice(columns.label)}`,
    ...others,
    ...(below === '' ? [] : [`${' '.repeat(columns.label)}${paint('red', below)}`]),
  ];
}

/** Marks below what came where it differs from what was expected, if both fit on a line and are much alike. */
function marksBelow(expected: string, actual: string, width: number): string {
  if (expected.length > width || actual.length > width || /\n/.test(expected + actual)) return '';
  const pieces = difference(expected, actual).actual;
  return pieces
    .map(({ text, same }) => (same ? ' ' : '^').repeat(text.length))
    .join('')
    .trimEnd();
}

function listed({ title, lines }: Document['lists'][number], { paint, width }: Look): string[] {
  return [
    paint('bold', title),
    ...indent(
      lines.flatMap((line) => wrap(oneLine(clip(line, 2000)), width - 2)),
      2,
    ),
  ];
}

function observations({ observations: all }: Document, { paint, width }: Look): string[] {
  if (all.length === 0) return [];
  const labelWidth = Math.min(Math.floor(width / 2), 2 + Math.max(...all.map(({ question }) => question.length)));
  const column = (text: string) => wrap(oneLine(clip(text, 600)), width - labelWidth - 2);
  const rows = all.flatMap(({ question, answer, evidence }) =>
    beside(wrap(oneLine(question), labelWidth - 2), [...column(answer), ...column(evidence).map((line) => paint('dim', line))], labelWidth),
  );
  return [paint('bold', 'Observed, not judged (the protocol leaves these points open)'), ...indent(rows, 2)];
}

/** The entries on one line, which a person pastes and a terminal breaks. */
function baseline({ baseline: entries, isOfClient }: Document, { paint }: Look): string[] {
  if (entries.length === 0) return [];
  const written = isOfClient ? '' : 'run check with --write-baseline FILE, or ';
  return [
    paint('dim', `To accept these failures for now, ${written}save this in a file and give it with --baseline:`),
    oneLine(JSON.stringify(entries)),
  ];
}

/** Where the rest is. */
function further({ findings }: Document, { paint, verbose, json, html }: Look): string[] {
  if (verbose) return [];
  const first = findings.find(({ outcome }) => outcome !== 'known-failure')?.findings[0]?.row;
  const all = html === undefined ? 'For every detail, add --verbose or --html report.html.' : `Every detail is in ${html}.`;
  const written = json === undefined ? 'add --json report.json to this command, then run' : 'run';
  const check = first?.checks.find(canReplay);
  const replay =
    first === undefined || check === undefined
      ? ''
      : ` To repeat one failure, ${written}: ${replayCommand({ id: first.id, engine: check.engine }, json)}`;
  return [paint('dim', oneLine(`${all}${replay}`))];
}

function closing({ headline }: Document, { paint }: Look): string {
  return paint('bold', paint(outcomeStyle[headline.tone], oneLine(clip(closingLine(headline), 2000))));
}
