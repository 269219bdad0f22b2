import { chainWords } from './chain-words.js';
import { clip } from './escape.js';
import type { ReportRequirement } from './report.js';
import { foundWords, tellingCheck } from './summary.js';
import { replayCommand, scriptWords, seedWords } from './words.js';

/** Why a requirement is violated and how to see it again, as plain text. Not escaped for any format, only cut. */
export function explanation(requirement: ReportRequirement): string {
  const check = tellingCheck(requirement);
  const seed = check === undefined ? '' : seedWords(check);
  const lines = [
    `${requirement.level}, section ${requirement.section}: ${requirement.statement}`,
    ['Found', foundWords(check)],
    ['Expected', check?.expected],
    ['Actual', check?.actual],
    ['Example', check?.example],
    ['Advice', requirement.hint],
    ['Note', requirement.disagreement],
    ['Replay', check === undefined ? null : `${replayCommand(check)}${seed === '' ? '' : ` (${seed})`}`],
    ...chainWords(check?.exchanges ?? []),
    ['By hand', typeof check?.curl === 'string' ? `\n${scriptWords(check.curl, 7000)}` : null],
  ];
  return lines
    .flatMap((line) =>
      typeof line === 'string' ? [line] : line[1] === null || line[1] === undefined ? [] : [`${line[0]}: ${clip(line[1], 8000)}`],
    )
    .join('\n');
}
