import { chainWords } from './chain-words.js';
import type { ReportCheck, ReportRequirement } from './report.js';
import { counterexamples, foundWords } from './summary.js';
import { count, replayCommand, seedWords } from './words.js';

/** One thing that is told of a violation. */
export interface Field {
  readonly label: string;
  readonly text: string;
  /** A script is shown whole or not at all. */
  readonly script?: true;
}

/** All that is told of a violated requirement, in order. Neither escaped for a format nor cut. */
export function violationFields(requirement: ReportRequirement): Field[] {
  const told = counterexamples(requirement);
  const [first, ...others] = told;
  return [
    ...field('Clause', `${requirement.level}, section ${requirement.section}: ${requirement.statement}`),
    ...(first === undefined ? [] : [...field('Found', foundWords(first)), ...factsOf(first)]),
    ...field('Advice', requirement.hint),
    ...field('Note', requirement.disagreement),
    ...field('Reason', requirement.outcome === 'known-failure' ? requirement.reason : undefined),
    ...(first === undefined ? [] : repetition(first, true)),
    ...others.flatMap((check, index) => [
      ...field('Further', `${index + 2} of ${told.length}: ${foundWords(check) ?? check.id}`),
      ...factsOf(check),
      ...repetition(check, false),
    ]),
    ...field('Also', alsoFailed(requirement, told)),
  ];
}

/** What one failing check saw. */
export function factsOf({ expected, actual, rate, example, explains = [] }: ReportCheck): Field[] {
  return [
    ...field('Expected', expected),
    ...field('Actual', actual),
    ...field('Rate', rate === undefined ? undefined : `failed ${rate.failed} of ${count(rate.of, 'time')}`),
    ...field('Example', example),
    ...field('Explains', explains.map((each) => `${each.what} (${count(each.count, 'time')})`).join('\n')),
  ];
}

/** How to see it again. One script a requirement is enough here; the JSON and HTML reports have all. */
function repetition(check: ReportCheck, scripted: boolean): Field[] {
  const seed = seedWords(check);
  return [
    ...field('Exchanges', chainWords(check.exchanges).join('\n')),
    ...(scripted ? field('By hand', check.curl).map((script) => ({ ...script, script: true as const })) : []),
    ...field('Replay', `${replayCommand(check)}${seed === '' ? '' : `   (${seed})`}`),
  ];
}

function alsoFailed({ checks }: ReportRequirement, told: readonly ReportCheck[]): string {
  const others = checks.filter((check) => check.outcome === 'fail' && !told.includes(check));
  return others.length === 0 ? '' : `failed in ${[...new Set(others.map(({ id, engine }) => `${id} (${engine})`))].join(', ')}`;
}

function field(label: string, text: string | null | undefined): Field[] {
  return text === null || text === undefined || text === '' ? [] : [{ label, text }];
}
