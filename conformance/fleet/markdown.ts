import { clip, markdownLine, markdownTable, timeWords } from '../report/index.js';
import { type Fleet, type Result, worstFirst } from './fleet.js';
import { type Section, summaryWords } from './words.js';

/** The run as Markdown, for the summary of a CI job: what is not well in a table, the rest by name. */
export function fleetMarkdown(fleet: Fleet, sections: readonly Section[]): string {
  const sorted = [...fleet.services].sort(worstFirst);
  const isWell = ({ exitCode, warned, isWhole }: Result) => exitCode === 0 && warned.length === 0 && isWhole;
  const others = sorted.filter((each) => !isWell(each));
  const well = sorted.filter(isWell).map(({ name }) => line(name));
  return `${[
    `## ${summaryWords(fleet)}`,
    ...(others.length === 0 ? [] : [markdownTable(['Service', 'Verdict', 'Failed', 'Warnings', 'Untested', 'Time', ''], others.map(row))]),
    ...(well.length === 0 ? [] : [`Conformant without a warning: ${well.join(', ')}.`]),
    ...sections.map(({ title, lines }) => `### ${title}\n\n${lines.map((each) => `- ${line(each)}`).join('\n')}`),
    `hydrauth ${fleet.kit.version}, seed ${fleet.seed}, catalogue ${fleet.catalogue.slice(0, 8)}, ${fleet.startedAt}.`,
  ].join('\n\n')}\n`;
}

function row({ name, word: said, exitCode, failed, warned, untested, durationMs, sentence }: Result): (string | number)[] {
  const word = exitCode === 0 ? said : `**${said}**`;
  return [line(name), word, line(failed.join(', ')), line(warned.join(', ')), untested.length, timeWords(durationMs), line(sentence)];
}

const line = (text: string) => markdownLine(clip(text, 400));
