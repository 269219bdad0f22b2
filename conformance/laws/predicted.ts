import fc from 'fast-check';
import { Violation } from '../subject/index.js';
import { law } from './law.js';

const turned = (word: number) => ((word << 24) | ((word << 8) & 0xff0000) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
/** How the words of a generator may stand in a token: in order, the last one first, or each with its lowest octet first. */
const readings: readonly ((words: readonly number[]) => readonly number[])[] = [
  (words) => words,
  (words) => [...words].reverse(),
  (words) => words.map(turned),
];

const stateWords = 624;

/** MT19937: so many words tell its whole state, and with it every word that follows. */
function areOfMersenneTwister(words: readonly number[]): boolean {
  const state = words.slice(0, stateWords).map(untempered);
  return words.slice(stateWords).every((word, place) => {
    const joined = ((state[place] as number) & 0x80000000) | ((state[place + 1] as number) & 0x7fffffff);
    const next = ((state[place + 397] as number) ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)) >>> 0;
    state.push(next);
    return tempered(next) === word;
  });
}

function tempered(word: number): number {
  let mixed = word ^ (word >>> 11);
  mixed ^= (mixed << 7) & 0x9d2c5680;
  mixed ^= (mixed << 15) & 0xefc60000;
  return (mixed ^ (mixed >>> 18)) >>> 0;
}

function untempered(mixed: number): number {
  let word = mixed ^ (mixed >>> 18);
  word ^= (word << 15) & 0xefc60000;
  let known = word;
  for (let round = 0; round < 5; round += 1) known = word ^ ((known << 7) & 0x9d2c5680);
  const first = known ^ (known >>> 11);
  return (known ^ (first >>> 11)) >>> 0;
}

const multiplier = 0x5deece66dn;
const mask = (1n << 48n) - 1n;

/** java.util.Random and drand48: of 48 bits the upper 32 are shown, so that two words tell the rest. */
function areCongruential([first = 0, ...others]: readonly number[]): boolean {
  for (let low = 0n; low < 65_536n; low += 1n) {
    let seed = ((BigInt(first) << 16n) | low) & mask;
    const isNext = (word: number) => {
      seed = (seed * multiplier + 0xbn) & mask;
      return Number(seed >> 16n) === word;
    };
    if (others.every(isNext)) return true;
  }
  return false;
}

/** Where two halves are added as signed numbers, as for a long of Java, the upper one lacks one if the lower is negative. */
const halvesAdded = (words: readonly number[]) =>
  words.map((word, place) => (place % 2 === 0 ? (word + ((words[place + 1] ?? 0) >>> 31)) >>> 0 : word));

/** The generator from whose words tokens are made, if it is one whose next words can be foreseen. */
function generatorOf(tokens: readonly string[]): string | undefined {
  const written = tokens.map((token) => token.replace(/[^0-9a-f]/gi, '').match(/.{8}/g) ?? []);
  for (const read of readings) {
    const words = written.flatMap((parts) => read(parts.map((part) => Number.parseInt(part, 16))));
    if (words.length > stateWords && areOfMersenneTwister(words)) return 'a Mersenne Twister';
    if ([words, halvesAdded(words)].some((each) => each.length > 3 && areCongruential(each)))
      return 'a linear congruential generator, such as java.util.Random';
  }
  return undefined;
}

/** Beyond these nothing is learned. */
const mostTokens = 400;

/** Asks for some hundred tokens, and so only where many cases are asked for. */
export const predicted = law<number>('exchange.token-unguessable', {
  name: 'predicted',
  phase: 'history',
  leastRuns: 100,
  given: () => fc.constant(0),
  randomCases: () => 1,
  async judge(trial) {
    const tokens: string[] = [];
    for (let words = 0; words <= stateWords && tokens.length < mostTokens; words += Math.floor((tokens.at(-1) as string).length / 8)) {
      trial.chain.length = 0;
      tokens.push((await trial.login()).value);
    }
    const generator = generatorOf(tokens);
    if (generator !== undefined)
      throw new Violation(
        'tokens that a stranger cannot guess',
        `${tokens.length} tokens are enough to predict the next ones: they come from ${generator}`,
      );
  },
});
