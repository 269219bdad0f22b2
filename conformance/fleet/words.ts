import { count } from '../../spec/index.js';
import { verdictWords } from '../report/index.js';
import type { Fleet, Result } from './fleet.js';

/** Lines under a title, which the page and the Markdown show alike. */
export type Section = { readonly title: string; readonly lines: readonly string[] };

/** "40 services: 37 conformant, 2 not conformant, 1 no verdict". */
export function summaryWords({ services, shard }: Pick<Fleet, 'services' | 'shard'>): string {
  const parts = Object.entries(verdictWords).map(([verdict, words]) => {
    const many = services.filter((each) => each.verdict === verdict).length;
    return many === 0 ? '' : `${many} ${words.toLowerCase()}`;
  });
  return `${count(services.length, 'service')}${shard === undefined ? '' : ` (shard ${shard})`}: ${parts.filter(Boolean).join(', ')}`;
}

/** Which services bring the exit code about. */
export function becauseWords(results: readonly Pick<Result, 'name' | 'exitCode'>[], code: number): string {
  const names = [...new Set(results.filter(({ exitCode }) => exitCode === code).map(({ name }) => name))];
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return code === 0 ? '' : `Exit code ${code} because of ${names.slice(0, 10).join(', ')}${more}.`;
}
