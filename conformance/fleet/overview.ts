import { count } from '../../spec/index.js';
import { type Case, clip, jsonText, markdownLine, markdownTable, timeWords, verdicts } from '../report/index.js';
import { type Fleet, type Result, worstFirst } from './fleet.js';

/** Lines under a title, which the page and the Markdown show alike. */
export type Section = { readonly title: string; readonly lines: readonly string[] };

/** "40 services: 37 conformant, 2 not conformant, 1 no verdict". */
export function summaryWords({ services, shard }: Pick<Fleet, 'services' | 'shard'>): string {
  const words = Object.keys(verdicts).flatMap((verdict) => services.filter((each) => each.verdict === verdict).map(({ word }) => word));
  const parts = [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word.toLowerCase()}`);
  return `${count(services.length, 'service')}${shard === undefined ? '' : ` (shard ${shard})`}: ${parts.join(', ')}`;
}

/** What a run that fails only for what got worse was compared with, and what that leaves unsaid. */
export function comparedWords(
  { services }: Pick<Fleet, 'services'>,
  uncompared: readonly Result[],
  { isFirst = false, isWorse = false },
): string {
  const failing = (results: readonly Result[]) => results.filter(({ exitCode }) => exitCode === 1).map(({ name }) => name);
  const [bad, still] = [failing(uncompared), failing(services.filter((each) => !uncompared.includes(each)))];
  const fails = bad.length === 0 ? '' : ` ${count(bad.length, 'of these services fails', 'of these services fail')}: ${listed(bad)}.`;
  if (isFirst) return `This is the first run in the history: nothing to compare with.${fails}`;
  const isSame = !isWorse && uncompared.length < services.length;
  return [
    ...(isSame ? ['Nothing got worse.'] : []),
    ...(isSame && still.length > 0 ? [`Still failing: ${listed(still)}.`] : []),
    ...(uncompared.length > 0 ? [`${count(uncompared.length, 'service')} could not be compared.${fails}`] : []),
  ].join(' ');
}

const listed = (names: readonly string[]) => `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;

/** Which services bring the exit code about. */
export function becauseWords(results: readonly Pick<Result, 'name' | 'exitCode'>[], code: number): string {
  const names = [...new Set(results.filter(({ exitCode }) => exitCode === code).map(({ name }) => name))];
  return code === 0 ? '' : `Exit code ${code} because of ${listed(names)}.`;
}

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

const statuses = { pass: 'passed', failure: 'failed', error: 'failed', skipped: 'skipped' } as const satisfies Record<Case['kind'], string>;

/** The run in the Common Test Report Format: a test per service and requirement. */
export function fleetCtrf(fleet: Fleet): string {
  const start = Date.parse(fleet.startedAt);
  const tests = fleet.services.flatMap(({ name, tags, cases, outcomes }) =>
    cases.map(({ name: requirement, kind, message, text, tookMs = 0 }) => ({
      ...{ name: `${name}: ${requirement}`, status: statuses[kind], duration: tookMs, suite: [name], tags },
      ...(kind === 'pass' || message === undefined ? {} : { message }),
      ...(text === undefined ? {} : { trace: text }),
      rawStatus: outcomes[requirement] ?? kind,
      flaky: outcomes[requirement] === 'flaky',
    })),
  );
  const of = (status: string) => tests.filter((each) => each.status === status).length;
  const tool = { name: fleet.kit.name, version: fleet.kit.version };
  const counts = { tests: tests.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped'), pending: 0, other: 0 };
  const summary = { ...counts, suites: fleet.services.length, start, stop: start + wholeMs(fleet) };
  return jsonText({ reportFormat: 'CTRF', specVersion: '1.0.0', generatedBy: 'hydrauth', results: { tool, summary, tests } });
}

/** All the time that judging took; services that were judged at once count one by one. */
export function wholeMs({ services }: Pick<Fleet, 'services'>): number {
  return services.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
