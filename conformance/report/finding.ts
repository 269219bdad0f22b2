import { count } from '../../spec/index.js';
import { told } from '../finding.js';
import { type Link, linksOf, linkWords } from './chain.js';
import { clip } from './escape.js';
import type { ReportCheck, ReportRequirement } from './report.js';
import { canReplay, replayCommand, scriptWords } from './words.js';

export type Finding = ReturnType<typeof findingOf>;
export type Way = Finding['ways'][number];

/** A violated requirement, with all that is told of it. `json` is the file of the report, where there is one. */
export function findingOf(row: ReportRequirement, json?: string) {
  const shown = counterexamples(row);
  const others = row.checks.filter((check) => isFailure(check) && !shown.includes(check));
  return {
    row,
    /** The different ways in which it fails, the worst first. None where no check says how. */
    ways: alikeTogether(shown).map((checks) => wayOf(checks, json)),
    /** Which checks of the other engine failed. */
    also: others.length === 0 ? '' : `failed in ${[...new Set(others.map(({ id, engine }) => `${id} (${engine})`))].join(', ')}`,
  };
}

/** Whether a check failed, be it once. */
export const isFailure = ({ outcome }: Pick<ReportCheck, 'outcome'>): boolean => outcome === 'fail' || outcome === 'flaky';

/** The failures that one engine found, in the order given, the worst first. An engine with exchanges to show is preferred. */
export function counterexamples({ checks }: Pick<ReportRequirement, 'checks'>): ReportCheck[] {
  const failed = checks.filter(isFailure);
  const shown = failed.find((check) => check.exchanges.length > 0) ?? failed[0];
  return failed.filter(({ engine }) => engine === shown?.engine);
}

const userPattern = /\b(users?|id) (-?\d+)\b/g;

/** Checks that say the same, but for whom they say it of. */
function alikeTogether(checks: readonly ReportCheck[]): ReportCheck[][] {
  const groups = new Map<string, ReportCheck[]>();
  for (const check of checks) {
    const asked = linksOf(check.exchanges).findLast(({ exchange }) => exchange !== undefined)?.asked;
    const key = JSON.stringify([check.expected, check.actual, check.message, asked]).replace(userPattern, '$1');
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()];
}

/** One way in which a requirement fails. `alike` says what else fails in just this way: "the same for users 2, 3". */
function wayOf([check, ...others]: readonly ReportCheck[], json: string | undefined) {
  const first = check as ReportCheck;
  const { rate, explains = [] } = first;
  return {
    check: first,
    found: foundWords(first),
    rate: rate === undefined ? '' : `failed ${rate.failed.toLocaleString('en')} of ${count(rate.of, 'time')}`,
    explains: explains.map((each) => `${each.what} (${count(each.count, 'time')})`),
    explainedCount: explains.reduce((sum, each) => sum + each.count, 0),
    alike: alikeWords(first, others),
    links: linksOf(first.exchanges),
    /** The command that repeats it, and what must be done before where the report stands in no file; empty where nothing can. */
    replay: canReplay(first) ? replayCommand(first, json) : '',
    toDoBefore: json === undefined ? 'add --json report.json to the command of the run' : '',
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

/** The message of a check, unless it only joins expected and actual, which are told beside it. */
function foundWords({ message, expected, actual }: ReportCheck): string | undefined {
  return message === null || (expected !== null && actual !== null && message === told(expected, actual)) ? undefined : message;
}

/** One thing that is told of a finding. */
export interface Field {
  readonly label: string;
  readonly text: string;
  /** A script is shown whole or not at all. */
  readonly script?: true;
  /** Told only where there is room for everything, or only where there is not. Without it, always. */
  readonly only?: 'long' | 'short';
}

/** All that is told of a finding below its clause, in order, for formats of lines. Neither escaped nor cut. */
export function fieldsOf({ row, ways: [first, ...others], also }: Finding): Field[] {
  return [
    ...(first === undefined ? [] : [...field('Found', first.found), ...factsOf(first)]),
    ...field('Request', first === undefined ? '' : requestWords(first), 'short'),
    ...field('Advice', row.hint.split(/(?<=\.) (?=[A-Z])/)[0], 'short'),
    ...field('Advice', row.hint, 'long'),
    ...field('Note', row.disagreement, 'long'),
    ...field('Reason', row.outcome === 'known-failure' ? row.reason : undefined),
    ...(first === undefined ? [] : repetition(first)),
    ...field('By hand', first?.check.curl, 'long').map((script) => ({ ...script, script: true as const })),
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
  const { number, ...shown } = { ...last, sent: last.sent.map(([name]) => [name, ''] as const), trouble: '' };
  return `${linkWords(shown)}${number === 1 ? '' : ` (step ${number})`}`;
}

const exchangeWords = (link: Link) => `${linkWords(link)}${link.connection === '' ? '' : ` (${link.connection})`}`;

/** How to see it again. One script a requirement is enough here; the JSON and HTML reports have all. */
function repetition({ links, replay, toDoBefore }: Way): Field[] {
  const first = toDoBefore === '' || replay === '' ? '' : `${toDoBefore}, then run: `;
  return [...field('Exchanges', links.map(exchangeWords).join('\n'), 'long'), ...field('Replay', `${first}${replay}`, 'long')];
}

/** A further way of failing on one line; what it shares with the first is not said again. */
function furtherWords({ check, found, rate, explainedCount, alike, links }: Way, first: Way): string {
  const asked = links.findLast(({ exchange }) => exchange !== undefined)?.asked;
  const { expected, actual, example } = check;
  const parts = [
    found,
    expected === null || expected === first.check.expected ? '' : `expected ${expected}`,
    actual === null ? '' : `got ${actual}`,
    check.cause === undefined ? '' : `the cause is ${check.cause}`,
    rate === first.rate ? '' : rate,
    example === undefined ? '' : `case: ${example}`,
    alike,
    explainedCount === 0 ? '' : `explains ${count(explainedCount, 'more wrong answer')}`,
  ];
  const said = parts.flatMap((part) => (part === undefined || part === '' ? [] : [part.trim().replace(/\s*\n\s*/g, ', ')]));
  return `${asked === undefined ? '' : `${asked}: `}${said.join('; ') || check.id}`;
}

function field(label: string, text: string | null | undefined, only?: 'long' | 'short'): Field[] {
  return text === null || text === undefined || text === '' ? [] : [{ label, text, ...(only === undefined ? {} : { only }) }];
}

/** How many characters one field may have, and where the JSON report is. */
interface Limits {
  readonly text?: number;
  readonly script?: number;
  readonly json?: string | undefined;
}

/** Why a requirement is violated and how to see it again, as plain text. Not escaped for any format, only cut. */
export function explanation(requirement: ReportRequirement, { json, ...limits }: Limits = {}): string {
  return explained(findingOf(requirement, json), limits);
}

export function explained(finding: Finding, { text: most = 8000, script: longest = 7000 }: Limits = {}): string {
  const { level, section, statement } = finding.row;
  return [{ label: 'Clause', text: `${level}, section ${section}: ${statement}` }, ...fieldsOf(finding)]
    .filter(({ only }: Field) => only !== 'short')
    .map(({ label, text, script }: Field) => {
      const lines = (script === true ? scriptWords(text, longest) : clip(text, most)).trimEnd().split('\n');
      return `${label}:${lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n  ${line}`).join('')}`;
    })
    .join('\n');
}
