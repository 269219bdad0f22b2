/** How the bench was called. */
export interface BenchOptions {
  /** Fewer and shorter rounds: shows that everything works, not how fast it is. */
  readonly quick: boolean;
  readonly json: string | undefined;
  /** Names of measures; all when empty. */
  readonly only: readonly string[];
}

const usage = 'npm run bench [-- [--quick] [--json FILE] [--only MEASURE]…]';

export function readOptions(words: readonly string[], measures: readonly string[]): BenchOptions {
  const only: string[] = [];
  let quick = false;
  let json: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    const value = words[at + 1];
    if (word === '--quick') quick = true;
    else if (word === '--json' && value !== undefined) json = words[++at];
    else if (word === '--only' && value !== undefined && measures.includes(value)) only.push(words[++at] as string);
    else throw new Error(`${word}${word === '--only' ? ` ${value}` : ''} is not allowed.\n${usage}\nMeasures: ${measures.join(', ')}`);
  }
  return { quick, json, only };
}
