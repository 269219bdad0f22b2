import type { RunningServer } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';
import { serving, type Wrong } from '../../test/seen/judging.js';
import { type PostmanInput, type PostmanResult, runPostman } from '../index.js';

export const user = { id: '7', paraphrase: 'pass:wörd €' };
/** How a server that knows this user is started. */
export const options = { clock: 'manual', recordLast: 1000, users: [{ ...user, id: 7 }] } as const;

/** Runs the collection through the kit against a server that is changed in these ways. */
export async function run(
  wrong: readonly Wrong[],
  given: Partial<PostmanInput> = {},
): Promise<PostmanResult & { readonly server: RunningServer }> {
  const server = await serving(wrong, options);
  return { ...(await judge(server.url, { clockUrl: server.clockUrl ?? '', ...given })), server };
}

export const judge = (baseUrl: string, given: Partial<PostmanInput> = {}): Promise<PostmanResult> =>
  runPostman({ spec, baseUrl, collection: 'books', user, clockUrl: '', timeoutMs: 10_000, selected: () => true, ...given });

/** All that leaves the clock alone. */
export const withoutExpiry = { selected: (row: string) => !row.startsWith('expiry.') };

/** The requirements with a finding of this outcome. */
export const ids = ({ findings }: Pick<PostmanResult, 'findings'>, outcome: string) =>
  [...new Set(findings.filter((finding) => finding.outcome === outcome).map((finding) => finding.requirement))].sort();
