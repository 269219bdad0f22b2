/** No name is so long, in characters. */
const longest = 200;

/** " Did you mean X?" when one of the known names is near what was written, otherwise nothing. */
export function didYouMean(written: string, known: readonly string[]): string {
  const [first] = near(written, known);
  return first === undefined ? '' : ` Did you mean ${first}?`;
}

/** " Near it are X, Y;" with at most five of the known names that are near what was written or have most of its words, or longer ones, otherwise nothing. */
export function nearWords(written: string, known: readonly string[]): string {
  const words =
    written
      .slice(0, longest)
      .toLowerCase()
      .match(/[a-z0-9]{3,}/g) ?? [];
  const heldBy = (name: string) => words.filter((word) => new RegExp(`\\b${word}`).test(name)).length;
  const holding = known.filter((name) => 2 * heldBy(name) > words.length).sort((one, other) => heldBy(other) - heldBy(one));
  const names = [...new Set([...near(written, known), ...holding])].slice(0, 5);
  return names.length === 0 ? '' : ` Near it ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')};`;
}

/** Every known name once, those that are most like what was written first. */
export function nearest(written: string, known: readonly string[]): string[] {
  return ranked(written, known).map(({ name }) => name);
}

/** The known names that a slip could have made what was written, the likeliest first. */
function near(written: string, known: readonly string[]): string[] {
  return ranked(written, known)
    .filter(({ name, distance }) => {
      const shorter = Math.min(written.length, name.length);
      return distance <= Math.max(2, Math.floor(shorter / 3)) && distance < shorter;
    })
    .map(({ name }) => name);
}

function ranked(written: string, known: readonly string[]): { readonly name: string; readonly distance: number }[] {
  return [...new Set(known)]
    .map((name) => ({ name, distance: editDistance(written.slice(0, longest), name) }))
    .sort((one, other) => one.distance - other.distance);
}

/** How many letters must be added, left out, changed or swapped with the next to make one text the other, in any letter case. */
function editDistance(written: string, name: string): number {
  const [from, to] = [written.toLowerCase(), name.toLowerCase()];
  let [before, row]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(Math.min(changed, at(row, j) + 1, at(next, j - 1) + 1, isSwapped ? at(before, j - 2) + 1 : changed));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

const at = (row: readonly number[] | undefined, index: number): number => row?.[index] as number;
