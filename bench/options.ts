import { parseArgs } from 'node:util';
import { OptionError } from '../spec/index.js';

/** How the bench was called. */
export interface BenchOptions {
  /** Fewer and shorter rounds: shows that everything works, not how fast it is. */
  readonly quick: boolean;
  readonly json: string | undefined;
  /** Names of measures; all when empty. */
  readonly only: readonly string[];
}

export function readOptions(args: string[], measures: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string', multiple: true } },
  });
  const { quick = false, json, only = [] } = values;
  const unknown = only.find((name) => !measures.includes(name));
  if (unknown !== undefined) throw new OptionError('--only', `${unknown} is no measure; there are ${measures.join(', ')}`);
  return { quick, json, only };
}
