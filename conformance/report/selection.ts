import { type Catalogue, didYouMean, OptionError } from '../../spec/index.js';
import type { RunOptions } from '../options.js';

/** An id selects itself, and every id that it is the beginning of at a point or a hyphen. */
function matches(id: string, selector: string): boolean {
  return (
    id === selector || id.startsWith(`${selector}.`) || id.startsWith(`${selector}-`) || (selector.endsWith('.') && id.startsWith(selector))
  );
}

/** The rows that a run with these options speaks of. */
export function selectedIds({ spec, only, skip, auth }: Pick<RunOptions, 'spec' | 'only' | 'skip' | 'auth'>): string[] {
  return spec.catalogue.rows
    .filter((row) => row.auth === 'any' || row.auth === auth)
    .map((row) => row.id)
    .filter((id) => (only.length === 0 || only.some((each) => matches(id, each))) && !skip.some((each) => matches(id, each)));
}

/** Selectors as they were given; one that selects nothing throws. */
export function selectors(option: string, given: readonly string[], { rows }: Catalogue): readonly string[] {
  const ids = [...new Set(rows.flatMap(({ id }) => [id, id.slice(0, id.indexOf('.'))]))];
  for (const each of given) {
    if (!rows.some((row) => matches(row.id, each))) {
      throw new OptionError(
        option,
        `${JSON.stringify(each)} selects no requirement.${didYouMean(each, ids)} Ids or their beginnings are expected, such as ${example(rows)}; hydrauth requirements lists them`,
      );
    }
  }
  return given;
}

function example(rows: Catalogue['rows']): string {
  const isOfServers = rows.some(({ id }) => id === 'challenge.status');
  return isOfServers ? 'token or challenge.status' : (rows[0]?.id ?? 'none');
}
