import { count } from '../../spec/index.js';
import { verdictWords } from '../report/index.js';
import type { Fleet, Result } from './fleet.js';

/** Lines under a title, which the page and the Markdown show alike. */
export type Section = { readonly title: string; readonly lines: readonly string[] };

/** "40 services: 37 conformant, 2 not conformant, 1 no verdict". */
export function summaryWords({ services, shard }: Pick<Fleet, 'services' | 'shard'>): string {
  const words = Object.keys(verdictWords).flatMap((verdict) => services.filter((each) => each.verdict === verdict).map(({ word }) => word));
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
