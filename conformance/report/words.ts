import { count, type Step } from '../../spec/index.js';
import type { Outcome, ReportCheck, ReportTarget, Verdict } from './report.js';

/** The names of the steps, in the order in which reports show them. */
export const stepTitles: Readonly<Record<Step, string>> = {
  headers: 'Headers of the three steps',
  challenge: 'Step A: challenge',
  exchange: 'Step B: credential exchange',
  token: 'Step C: token use',
  expiry: 'Expiry of the token',
  protection: 'Protection of every request',
  jsonld: 'JSON-LD',
  errors: 'Error bodies',
  off: 'Authentication switched off',
  config: 'Configuration',
  client: 'What a client does',
};

export const outcomeWords: Readonly<Record<Outcome | 'skipped', string>> = {
  pass: 'passed',
  fail: 'failed',
  warn: 'warning',
  flaky: 'flaky',
  untested: 'untested',
  'known-failure': 'known failure',
  skipped: 'skipped',
};

/** The letters of outcomes in tables, the worst first. */
export const letters = { fail: 'F', warn: 'W', flaky: 'Y', 'known-failure': 'K', untested: 'U', skipped: 'S', pass: 'P' } as const;
export const lettered = Object.keys(letters) as (keyof typeof letters)[];

/** Items under what they share, in the order in which they came. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [key: string, items: Item[]][] {
  const found = new Map<string, Item[]>();
  for (const each of items) found.set(keyOf(each), [...(found.get(keyOf(each)) ?? []), each]);
  return [...found];
}

/** A number of outcomes: "3 passed", "2 warnings". */
export function tallyWords(outcome: Outcome | 'skipped', number: number): string {
  const plural = number !== 1 && (outcome === 'warn' || outcome === 'known-failure');
  return `${number} ${outcomeWords[outcome]}${plural ? 's' : ''}`;
}

export const skippedBecause = 'Not selected for this run (--only, --skip or --last-failed).';

/** What is said once of all that nothing can check. */
export const uncheckableBecause = 'This cannot be tested over HTTP.';

/** Each verdict in words, and the outcome whose colour it has. */
export const verdicts: Readonly<Record<Verdict, { readonly word: string; readonly tone: Outcome }>> = {
  conformant: { word: 'Conformant', tone: 'pass' },
  'non-conformant': { word: 'Not conformant', tone: 'fail' },
  incomplete: { word: 'Incomplete', tone: 'warn' },
  error: { word: 'No verdict', tone: 'fail' },
};

/** What was judged, as people call it: the address of a service, or the client. */
export const targetName = ({ url, client }: ReportTarget): string => client?.name ?? url;

/** A stretch of time as people say it: "40 ms", "3.2 s", "45 min", "1 h 5 min". */
export function timeWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const parts = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', seconds > 0 ? `${seconds} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Nobody can make a client that was watched do the same again, nor what a recording has in place of secrets open a service. */
export const canReplay = ({ engine, curl }: Pick<ReportCheck, 'engine' | 'curl'>): boolean =>
  engine === 'scenarios' || (engine !== 'watch' && curl !== null);

/** The command that repeats a check from the report that --json writes. */
export function replayCommand({ id, engine }: Pick<ReportCheck, 'id' | 'engine'>, file = 'report.json'): string {
  return ['hydrauth replay', file, id, ...(engine === 'scenarios' ? ['--run-recorded-command'] : [])]
    .map((part, index) => (index === 0 || /^[\w./:-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** The script that repeats a check. It is never cut, because half a script does something else. */
export function scriptWords(curl: string, characters: number): string {
  return curl.length <= characters
    ? curl.trimEnd()
    : `# This script has ${count(curl.length, 'character')}; see the JSON report for all of it.`;
}
