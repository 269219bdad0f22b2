import type { RunOptions } from '../options.js';

/** An id selects itself, and every id that it is the beginning of at a point or a hyphen. */
export function matches(id: string, selector: string): boolean {
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
