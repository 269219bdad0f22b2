/** Does every work once a round, each round beginning with another, so that what changes meanwhile meets all alike. */
export async function interleave<Name extends string, Value>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(works) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < names.length; step++) {
      const name = names[(round + step) % names.length] as Name;
      values[name].push(await works[name]());
    }
  }
  return values;
}

/** One quotient a round, of what was measured side by side. */
export function quotients(of: readonly number[], over: readonly number[]): number[] {
  return of.map((value, round) => value / (over[round] as number));
}
