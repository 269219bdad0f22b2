/** Does something with each of a list, so many at once, and gives the results in the order of the list. */
export async function inTurns<T, R>(
  list: readonly T[],
  atOnce: number,
  go: (each: T) => Promise<R>,
  isOver: () => boolean = () => false,
): Promise<R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const turn = async () => {
    while (next < list.length && !isOver()) {
      const index = next++;
      results.set(index, await go(list[index] as T));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, turn));
  return list.flatMap((_, index) => (results.has(index) ? [results.get(index) as R] : []));
}
