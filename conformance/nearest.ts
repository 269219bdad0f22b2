/** " Did you mean X?" when one of the known names is close to what was written, otherwise nothing. */
export function didYouMean(written: string, known: readonly string[]): string {
  const [near] = nearest(written, known);
  if (near === undefined) return '';
  const distance = editDistance(written, near);
  return distance <= Math.max(2, Math.floor(near.length / 3)) && distance < near.length ? ` Did you mean ${near}?` : '';
}

/** The known names, those that are most like what was written first. */
export function nearest(written: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

/** How many letters must be added, left out or changed to make one text the other. Capitals count as small letters. */
function editDistance(written: string, name: string): number {
  const [from, to] = [written.toLowerCase(), name.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
