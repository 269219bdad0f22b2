/** A text before, within and behind what is different in it. */
export type Parts = readonly [before: string, different: string, behind: string];

/** What stands between the common beginning and the common end of two texts. Texts with little in common are left unmarked, because marks would be noise. */
export function difference(expected: string, actual: string): [expected: Parts, actual: Parts] {
  const [a, b] = [Array.from(expected), Array.from(actual)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  if ((start + end) * 2 < Math.max(a.length, b.length))
    return [
      [expected, '', ''],
      [actual, '', ''],
    ];
  const parts = (of: readonly string[]): Parts => {
    const until = of.length - end;
    return [of.slice(0, start).join(''), of.slice(start, until).join(''), of.slice(until).join('')];
  };
  return [parts(a), parts(b)];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((character, index) => character !== b[index]);
  return different === -1 ? a.length : different;
}
