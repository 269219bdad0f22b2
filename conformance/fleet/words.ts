import { count } from '../../spec/index.js';
import { type Verdict, verdictWords } from '../report/index.js';
import type { Fleet, Result } from './fleet.js';

/** Lines under a title, which the page and the Markdown show alike. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const verdicts = ['conformant', 'non-conformant', 'incomplete', 'error'] as const satisfies readonly Verdict[];

/** "40 services: 37 conformant, 2 not conformant, 1 no verdict". */
export function summaryWords({ services, shard }: Pick<Fleet, 'services' | 'shard'>): string {
  const parts = verdicts.flatMap((verdict) => {
    const many = services.filter((each) => each.verdict === verdict).length;
    return many === 0 ? [] : [`${many} ${verdictWords[verdict].toLowerCase()}`];
  });
  return `${count(services.length, 'service')}${shard === undefined ? '' : ` (shard ${shard})`}: ${parts.join(', ')}`;
}

/** Which services bring the exit code about. */
export function becauseWords(results: readonly Result[], code: number): string {
  const names = results.filter(({ exitCode }) => exitCode === code).map(({ name }) => name);
  const shown = names.slice(0, 10).join(', ');
  return code === 0 ? '' : `Exit code ${code} because of ${shown}${names.length > 10 ? ` and ${names.length - 10} more` : ''}.`;
}
