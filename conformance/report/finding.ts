import { count } from '../../spec/index.js';
import { told } from '../finding.js';
import { linksOf, linkWords, numberedWords } from './chain.js';
import { clip, joinLines } from './escape.js';
import type { ReportCheck, ReportRequirement } from './report.js';
import { canReplay, groupedBy, replayCommand, scriptWords } from './words.js';

export type Finding = ReturnType<typeof findingOf>;
export type Way = Finding['ways'][number];

/** A violated requirement, with all that is told of it. `json` is the file of the report, where there is one. */
export function findingOf(row: ReportRequirement, json?: string) {
  const failed = row.checks.filter(isFailure);
  // The failures that one engine found; one with exchanges to show is preferred.
  const shown = failed.find(({ exchanges }) => exchanges.length > 0) ?? failed[0];
  const others = failed.filter(({ engine }) => engine !== shown?.engine);
  return {
    row,
    /** The different ways in which it fails, the worst first. None where no check says how. */
    ways: alikeTogether(failed.filter(({ engine }) => engine === shown?.engine)).map((checks) => wayOf(checks, json)),
    /** Which checks of the other engine failed. */
    also: others.length === 0 ? '' : `failed in ${[...new Set(others.map(({ id, engine }) => `${id} (${engine})`))].join(', ')}`,
  };
}

/** Whether a check failed, be it once. */
export const isFailure = ({ outcome }: Pick<ReportCheck, 'outcome'>): boolean => outcome === 'fail' || outcome === 'flaky';

const userPattern = /\b(users?|id) (-?\d+)\b/g;

/** What the last request of a check asked for. */
const askedBy = ({ exchanges }: ReportCheck) => linksOf(exchanges).findLast(({ exchange }) => exchange !== undefined)?.asked;

/** Checks that say the same, but for whom they say it of. */
function alikeTogether(checks: readonly ReportCheck[]): ReportCheck[][] {
  const said = (check: ReportCheck) => JSON.stringify([check.expected, check.actual, check.message, askedBy(check)]);
  return groupedBy(checks, (check) => said(check).replace(userPattern, '$1')).map(([, alike]) => alike);
}

/** One way in which a requirement fails. `alike` says what else fails in just this way: "the same for users 2, 3". */
function wayOf([check, ...others]: readonly ReportCheck[], json: string | undefined) {
  const first = check as ReportCheck;
  const { message, expected, actual, rate, explains = [] } = first;
  return {
    check: first,
    /** The message, unless it only joins expected and actual, which are told beside it. */
    found: message === null || (expected !== null && actual !== null && message === told(expected, actual)) ? undefined : message,
    rate: rate === undefined ? '' : `failed ${rate.failed.toLocaleString('en')} of ${count(rate.of, 'time')}`,
    explains: explains.map((each) => `${each.what} (${count(each.count, 'time')})`),
    explainedCount: explains.reduce((sum, each) => sum + each.count, 0),
    alike: alikeWords(first, others),
    links: linksOf(first.exchanges),
    /** The command that repeats it, and what must be done before where the report stands in no file; empty where nothing can. */
    replay: canReplay(first) ? replayCommand(first, json) : '',
    toDoBefore: json === undefined && canReplay(first) ? 'add --json report.json to the command of the run' : '',
  };
}

function alikeWords(first: ReportCheck, others: readonly ReportCheck[]): string {
  if (others.length === 0) return '';
  const usersOf = ({ expected, actual, message }: ReportCheck) =>
    [...`${expected} ${actual} ${message}`.matchAll(userPattern)].map(([, , id]) => id as string);
  const own = new Set(usersOf(first));
  const users = [...new Set(others.flatMap(usersOf))].filter((id) => !own.has(id));
  return users.length === 0
    ? `the same in ${count(others.length, 'more case')}`
    : `the same for ${users.length === 1 ? 'user' : 'users'} ${users.join(', ')}`;
}

/** One thing that is told of a finding. */
export interface Field {
  readonly label: string;
  readonly text: string;
  /** Told only where there is room for everything, or only where there is not. Without it, always. */
  readonly only: 'long' | 'short' | undefined;
}

/** The only field that is a script, which is shown whole or not at all. */
export const scriptLabel = 'By hand';

/** All that is told of a finding below its clause, in order, for formats of lines. Neither escaped nor cut. */
export function fieldsOf({ row, ways: [first, ...others], also }: Finding): Field[] {
  return [
    ...(first === undefined ? [] : [...field('Found', first.found), ...factsOf(first), ...field('Request', requestWords(first), 'short')]),
    ...field('Advice', row.hint.split(/(?<=\.) (?=[A-Z])/)[0], 'short'),
    ...field('Advice', row.hint, 'long'),
    ...field('Note', row.disagreement, 'long'),
    ...field('Reason', row.outcome === 'known-failure' ? row.reason : undefined),
    ...(first === undefined ? [] : repetition(first)),
    ...field(scriptLabel, first?.check.curl, 'long'),
    ...field('Further', others.length === 0 ? '' : `${count(others.length, 'more way')} of failing, which --verbose shows`, 'short'),
    ...others.flatMap((way, index) => [
      ...field('Further', `${index + 2}. ${furtherWords(way, first as Way)}`, 'long'),
      ...repetition(way),
    ]),
    ...field('Also', also, 'long'),
  ];
}

/** What one way of failing is. */
export function factsOf({ check, rate, explains, explainedCount, alike }: Way): Field[] {
  return [
    ...field('Expected', check.expected),
    ...field('Actual', check.actual),
    ...field('Cause', check.cause),
    ...field('How often', rate, check.outcome === 'flaky' ? undefined : 'long'),
    ...field('Case', check.example),
    ...field('Alike', alike),
    ...field('Explains', explains.join('\n'), 'long'),
    ...field('Explains', explainedCount === 0 ? '' : `${count(explainedCount, 'more wrong answer')} of this run`, 'short'),
  ];
}

/** The request that shows it, and what came. */
function requestWords({ links }: Way): string {
  const last = links.at(-1);
  if (last === undefined) return '';
  // What was wrong with the answer, and which credentials were sent, is told by what was expected and what came.
  const { number, asked, sent, came } = last;
  const words = linkWords({ asked, sent: sent.map(([name]) => [name, ''] as const), answer: came });
  return `${words}${number === 1 ? '' : ` (step ${number})`}`;
}

/** How to see it again. One script a requirement is enough here; the JSON and HTML reports have all. */
function repetition({ links, replay, toDoBefore }: Way): Field[] {
  const exchanges = links.map((link) => `${numberedWords(link)}${link.connection === '' ? '' : ` (${link.connection})`}`);
  return [
    ...field('Exchanges', exchanges.join('\n'), 'long'),
    ...field('Replay', `${toDoBefore === '' ? '' : `${toDoBefore}, then run: `}${replay}`, 'long'),
  ];
}

/** A further way of failing on one line; what it shares with the first is not said again. */
function furtherWords({ check, found, rate, explainedCount, alike }: Way, first: Way): string {
  const { expected, actual, cause, example } = check;
  const asked = askedBy(check);
  const parts = [
    found,
    expected === null || expected === first.check.expected ? '' : `expected ${expected}`,
    actual === null ? '' : `got ${actual}`,
    cause === undefined ? '' : `the cause is ${cause}`,
    rate === first.rate ? '' : rate,
    example === undefined ? '' : `case: ${example}`,
    alike,
    explainedCount === 0 ? '' : `explains ${count(explainedCount, 'more wrong answer')}`,
  ];
  const said = parts.flatMap((part) => (part === undefined || part === '' ? [] : [joinLines(part, ', ')]));
  return `${asked === undefined ? '' : `${asked}: `}${said.join('; ') || check.id}`;
}

function field(label: string, text: string | null | undefined, only?: 'long' | 'short'): Field[] {
  return text === null || text === undefined || text === '' ? [] : [{ label, text, only }];
}

/** Why a requirement is violated and how to see it again, as plain text. Not escaped for any format, only cut: each text and script has so many characters. */
export function explained(finding: Finding, { text: most = 8000, script = 7000 } = {}): string {
  const { level, section, statement } = finding.row;
  return [...field('Clause', `${level}, section ${section}: ${statement}`), ...fieldsOf(finding)]
    .filter(({ only }) => only !== 'short')
    .map(({ label, text }) => {
      const lines = (label === scriptLabel ? scriptWords(text, script) : clip(text, most)).trimEnd().split('\n');
      return `${label}:${lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n  ${line}`).join('')}`;
    })
    .join('\n');
}

export const explanation = (requirement: ReportRequirement): string => explained(findingOf(requirement));
