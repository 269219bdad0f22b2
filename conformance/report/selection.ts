import { type Catalogue, didYouMean, OptionError, spec } from '../../spec/index.js';
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
    if (rows.some((row) => matches(row.id, each))) continue;
    const hint = ofOthers(each) ?? withoutCommas(each) ?? didYouMean(each, ids);
    throw new OptionError(
      option,
      `${JSON.stringify(each)} matches no requirement.${hint} Give an id or the beginning of one, such as ${example(rows)}; hydrauth requirements lists them`,
    );
  }
  return given;
}

/** What is not asked of those who are judged here may be asked of the others. */
function ofOthers(selector: string): string | undefined {
  const isIn = ({ rows }: Catalogue) => rows.some(({ id }) => matches(id, selector));
  if (isIn(spec.clientCatalogue)) return ' It is about clients, which hydrauth check-client judges.';
  return isIn(spec.catalogue) ? ' It is about services, which hydrauth check judges.' : undefined;
}

function withoutCommas(selector: string): string | undefined {
  const parts = selector.split(',').filter((part) => part.trim() !== '');
  return selector.includes(',') ? ` Separate ids with blanks, not commas: ${parts.join(' ')}.` : undefined;
}

/** The first row, and the step that it is of. */
function example([first]: Catalogue['rows']): string {
  return first === undefined ? 'none' : `${first.id.slice(0, first.id.indexOf('.'))} or ${first.id}`;
}
