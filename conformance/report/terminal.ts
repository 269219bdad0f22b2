import { wrap } from '../../spec/index.js';
import { difference } from './diff.js';
import { type Document, documentOf, type FindingGroup, type StepRows } from './document.js';
import { clip, oneLine, visible } from './escape.js';
import { type Field, fieldsOf, scriptLabel } from './finding.js';
import { closingLine, outcomesOf } from './headline.js';
import type { Report } from './report.js';
import { canReplay, replayCommand, stepTitles, tallyWords } from './words.js';

interface TerminalLook extends Partial<Omit<Look, 'paint'>> {
  readonly colour?: boolean;
}

/** How a report is shown. */
interface Look {
  readonly paint: (style: keyof typeof codes, text: string) => string;
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

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
const outcomeStyle = { pass: 'green', fail: 'red', warn: 'yellow', flaky: 'yellow', untested: 'dim', 'known-failure': 'yellow' } as const;
const marks = { pass: 'pass', fail: 'FAIL', warn: 'warn', flaky: 'flaky', untested: 'untested', 'known-failure': 'known' } as const;
const titleWidth = Math.max(...Object.values(stepTitles).map((title) => title.length));
/** The columns of a requirement in a step, and of a field in a finding. */
const columns = { requirement: 18, margin: 3, label: 10 };
/** So much of one field is shown where a person reads; a pipe gets it whole. */
const shownCharacters = 2000;

/** The report for a person at a terminal: what was found first, the verdict last. Nothing from the target can steer the terminal. */
export function terminalReport(report: Report, { colour = false, width = 80, verbose = false, ...more }: TerminalLook = {}): string {
  const paint: Look['paint'] = (style, text) => (colour && text !== '' ? `\x1b[${codes[style][0]}m${text}\x1b[${codes[style][1]}m` : text);
  const look: Look = { whole: false, ...more, paint, width: Math.max(40, width), verbose };
  const document = documentOf(report, look.json);
  const { steps, findings } = document;
  const isShown = document.hasVerdict || verbose;
  const lists = isShown ? document.lists : [{ title: 'Remarks', lines: document.remarks }];
  const closing = paint(outcomeStyle[document.headline.tone], oneLine(clip(closingLine(document.headline), 2000)));
  const sections = [
    heading(document, look),
    // One line a step, unless findings follow, which say more; or all there is.
    ...(isShown && verbose ? steps.map((step) => [stepLine(step, look), ...everyRequirement(step, look)]) : []),
    isShown && !verbose && findings.length === 0 ? steps.map((step) => stepLine(step, look)) : [],
    ...(isShown ? findings.map((group) => violations(group, look)) : []),
    lists.flatMap((each) => listed(each, look)),
    verbose ? observations(document, look) : [],
    [...baseline(document, look), ...(isShown ? further(document, look) : []), paint('bold', closing)],
  ];
  return `${sections
    .map((lines) => lines.join('\n').trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

function heading({ kit, target, facts }: Document, { paint, width, verbose }: Look): string[] {
  const told = facts.filter(({ brief }) => verbose || brief).map(({ label, text }) => `${label.toLowerCase()} ${text}`);
  return [
    `${paint('bold', 'hydrauth')} ${oneLine(kit)} ${paint('bold', oneLine(target))}`,
    ...wrap(oneLine(told.join('; ')), width).map((line) => paint('dim', line)),
  ];
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
  const { paint, width, verbose } = look;
  const explained = findings.flatMap((finding, index) => {
    const { id, level, section, statement } = finding.row;
    const rate = verbose ? '' : finding.ways[0]?.rate;
    const fields = fieldsOf(finding).filter(({ only }) => only !== (verbose ? 'short' : 'long'));
    const lines = fields.flatMap((each, at) => fieldLines(each, look, fields[at - 1]));
    const number = paint(outcomeStyle[outcome], `${index + 1}.`);
    return [
      `${number} ${paint('bold', oneLine(id))}  ${paint('dim', `${level}, section ${oneLine(section)}${rate ? `; ${rate}` : ''}`)}`,
      ...indent([...wrap(oneLine(statement), width - columns.margin), ...lines], columns.margin),
      ...(verbose ? [''] : []),
    ];
  });
  return [paint('bold', `${title} (${findings.length})`), ...explained];
}

function fieldLines({ label, text }: Field, { paint, width, whole }: Look, before: Field | undefined): string[] {
  if (label === scriptLabel) return [paint('dim', label), ...indent(visible(text).trimEnd().split('\n'), 2)];
  const shown = visible(whole ? text : clip(text, shownCharacters));
  const room = width - columns.margin - columns.label;
  const [first = '', ...others] = wrap(shown, Math.max(20, room));
  const isActual = label === 'Actual' && before?.label === 'Expected' && others.length === 0;
  const below = isActual ? marksBelow(visible(before.text), shown, room) : '';
  return [
    `${paint('dim', label.padEnd(columns.label))}${first}`,
    ...indent(others, columns.label),
    ...(below === '' ? [] : [`${' '.repeat(columns.label)}${paint('red', below)}`]),
  ];
}

/** Marks below what came where it differs from what was expected, if both fit on a line and are much alike. */
function marksBelow(expected: string, actual: string, width: number): string {
  if (expected.length > width || actual.length > width || /\n/.test(expected + actual)) return '';
  const [, [before, different]] = difference(expected, actual);
  return different === '' ? '' : `${' '.repeat(before.length)}${'^'.repeat(different.length)}`;
}

function listed({ title, lines }: Document['lists'][number], { paint, width }: Look): string[] {
  if (lines.length === 0) return [];
  const wrapped = lines.flatMap((line) => wrap(oneLine(clip(line, 2000)), width - 2));
  return [paint('bold', title), ...indent(wrapped, 2)];
}

function observations({ observations: all }: Document, { paint, width }: Look): string[] {
  if (all.length === 0) return [];
  const labelWidth = Math.min(Math.floor(width / 2), 2 + Math.max(...all.map(({ question }) => question.length)));
  const column = (text: string) => wrap(oneLine(clip(text, 600)), width - labelWidth - 2);
  const rows = all.flatMap(({ question, answer, evidence }) => {
    const left = wrap(oneLine(question), labelWidth - 2);
    const right = [...column(answer), ...column(evidence).map((line) => paint('dim', line))];
    const line = (_: unknown, at: number) => `${(left[at] ?? '').padEnd(labelWidth)}${right[at] ?? ''}`.trimEnd();
    return Array.from({ length: Math.max(left.length, right.length) }, line);
  });
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

function indent(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`));
}
