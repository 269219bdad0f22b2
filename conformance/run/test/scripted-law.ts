import fc from 'fast-check';
import { type Law, law } from '../../laws/index.js';
import type { Trial } from '../../subject/index.js';

export const how = { runs: 0, seed: 1 } as const;

type Judge<T> = (value: T, trial: Trial) => Promise<void> | void;

/** A law with these examples and no random cases. */
export function lawOf<T>(examples: readonly T[], judge: Judge<T>, more: Partial<Law<T>> = {}): Law {
  const text = law<T>(more.requirement ?? 'token.sufficient', {
    given: () => fc.constantFrom(...examples),
    examples: () => examples,
    randomCases: () => 0,
    judge: async (trial, value) => judge(value, trial),
    ...more,
  });
  return text as Law;
}

/** Some turns of the event queue, in which whatever may run beside does. */
export async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
