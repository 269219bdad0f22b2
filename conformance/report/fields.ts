import { count } from '../../spec/index.js';
import { askedWords, chainWords, homeOf, linkWords } from './chain-words.js';
import type { ReportCheck, ReportRequirement } from './report.js';
import { counterexamples, foundWords } from './summary.js';
import { replayWords } from './words.js';

/** One thing that is told of a violation. */
export interface Field {
  readonly label: string;
  readonly text: string;
  /** A script is shown whole or not at all. */
  readonly script?: true;
  /** Told only where there is room for everything, or only where there is not. Without it, always. */
  readonly only?: 'long' | 'short';
}

/** All that is told of a violated requirement, in order. Neither escaped for a format nor cut. `file` is the JSON report, where one is written. */
export function violationFields(requirement: ReportRequirement, file?: string): Field[] {
  const told = counterexamples(requirement);
  const [first, ...others] = told;
  return [
    ...field('Clause', `${requirement.level}, section ${requirement.section}: ${requirement.statement}`),
    ...(first === undefined ? [] : [...field('Found', foundWords(first)), ...factsOf(first), ...seen(first)]),
    ...field('Advice', requirement.hint),
    ...field('Note', requirement.disagreement, 'long'),
    ...field('Reason', requirement.outcome === 'known-failure' ? requirement.reason : undefined),
    ...(first === undefined ? [] : repetition(first, true, file)),
    ...others.flatMap((check, index) => [
      ...field('Further', `${index + 2} of ${told.length}: ${askedWords(check.exchanges)}${furtherWords(check)}`),
      ...factsOf({ ...check, expected: null, actual: null }),
      ...repetition(check, false, file),
    ]),
    ...field('Also', alsoFailed(requirement, told), 'long'),
  ];
}

/** What one failing check saw. */
export function factsOf({ expected, actual, rate, example, explains = [] }: ReportCheck): Field[] {
  return [
    ...field('Expected', expected),
    ...field('Actual', actual),
    ...field('Rate', rate === undefined ? undefined : `failed ${rate.failed} of ${count(rate.of, 'time')}`),
    ...field('Case', example),
    ...field('Explains', explains.map((each) => `${each.what} (${count(each.count, 'time')})`).join('\n')),
  ];
}

/** The exchange in which it showed. */
function seen({ exchanges }: ReportCheck): Field[] {
  const last = exchanges.at(-1);
  const place = exchanges.length < 2 ? '' : `${exchanges.length} of ${exchanges.length}: `;
  return last === undefined ? [] : field('Seen', `${place}${linkWords(last, homeOf(exchanges))}`, 'short');
}

/** How to see it again. One script a requirement is enough here; the JSON and HTML reports have all. */
function repetition(check: ReportCheck, scripted: boolean, file: string | undefined): Field[] {
  return [
    ...field('Exchanges', chainWords(check.exchanges).join('\n'), 'long'),
    ...(scripted ? field('By hand', check.curl, 'long').map((script) => ({ ...script, script: true as const })) : []),
    ...field('Replay', replayWords(check, file), 'long'),
  ];
}

/** A further way of failing on one line. */
function furtherWords(check: ReportCheck): string {
  const { expected, actual } = check;
  const words =
    expected === null || actual === null ? (check.message ?? check.id) : `${foundWords(check) ?? ''} expected ${expected}; got ${actual}`;
  return words.trim().replaceAll('\n', ', ');
}

function alsoFailed({ checks }: ReportRequirement, told: readonly ReportCheck[]): string {
  const others = checks.filter((check) => check.outcome === 'fail' && !told.includes(check));
  return others.length === 0 ? '' : `failed in ${[...new Set(others.map(({ id, engine }) => `${id} (${engine})`))].join(', ')}`;
}

function field(label: string, text: string | null | undefined, only?: 'long' | 'short'): Field[] {
  return text === null || text === undefined || text === '' ? [] : [{ label, text, ...(only === undefined ? {} : { only }) }];
}
