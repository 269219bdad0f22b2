import { type Catalogue, didYouMean, OptionError, spec } from '../../spec/index.js';
import type { RunOptions } from '../options.js';

/** An id selects itself, and every id that it is the beginning of at a point or a hyphen. */
const matches = (id: string, selector: string) =>
  id === selector || (id.startsWith(selector) && (selector.endsWith('.') || /^[.-]/.test(id.slice(selector.length))));

const stepOf = (id: string) => id.slice(0, id.indexOf('.'));

/** The rows that a run with these options speaks of. */
export function selectedIds({ spec, only, skip, auth }: Pick<RunOptions, 'spec' | 'only' | 'skip' | 'auth'>): string[] {
  return spec.catalogue.rows
    .filter((row) => row.auth === 'any' || row.auth === auth)
    .map((row) => row.id)
    .filter((id) => (only.length === 0 || only.some((each) => matches(id, each))) && !skip.some((each) => matches(id, each)));
}

/** Selectors as they were given; one that selects nothing throws. */
export function selectors(option: string, given: readonly string[], { rows }: Catalogue): readonly string[] {
  const wrong = given.find((each) => !rows.some(({ id }) => matches(id, each)));
  if (wrong === undefined) return given;
  const ids = [...new Set(rows.flatMap(({ id }) => [id, stepOf(id)]))];
  const hint = ofOthers(wrong) ?? withoutCommas(wrong) ?? didYouMean(wrong, ids);
  const [first] = rows;
  const example = first === undefined ? 'none' : `${stepOf(first.id)} or ${first.id}`;
  throw new OptionError(
    option,
    `${JSON.stringify(wrong)} matches no requirement.${hint} Give an id or the beginning of one, such as ${example}; hydrauth requirements lists them`,
  );
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
