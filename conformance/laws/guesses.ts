import { hash } from 'node:crypto';
import { type Shape, shapeOf } from '../../spec/index.js';
import { nonceOf } from '../expect/index.js';
import { type Token, type Trial, Violation } from '../subject/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import { single } from './law.js';

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'];
/** A token with fewer bits can be found by trying all of them. */
const leastBits = 64;
const closeTogether = 2n ** 20n;
/** As many as the longest digest has. */
const mostBits = 512;

const digits = (text: string) => text.toLowerCase().replace(/[^0-9a-f]/g, '');
/** Whether a token is the beginning of these octets, written in the characters that tokens have. */
function isWritten(octets: Buffer, shape: Shape, token: string): boolean {
  // Most are told apart by the first character, which needs no long number.
  const first = shape[0]?.toLowerCase() ?? '';
  const remainder = octets.reduce((sum, octet) => (sum * 256 + octet) % Math.max(1, first.length), 0);
  if (first.charAt(remainder) !== token.charAt(0).toLowerCase()) return false;
  let rest = BigInt(`0x0${octets.toString('hex')}`);
  return [...token.toLowerCase()].every((character, place) => {
    const alphabet = shape[place]?.toLowerCase() ?? '';
    const bound = BigInt(Math.max(1, alphabet.length));
    const digit = alphabet.charAt(Number(rest % bound));
    rest /= bound;
    return digit === character;
  });
}
/** Whether a token is a text, a digest of it, or the beginning of that. */
function isMadeOf(token: string, text: string, shape: Shape): boolean {
  const octets = [Buffer.from(text), ...algorithms.map((name) => hash(name, text, 'buffer'))];
  const value = digits(token);
  return (
    (value !== '' && value === digits(text)) || octets.some((each) => begins(each.toString('hex'), token) || isWritten(each, shape, token))
  );
}
const begins = (whole: string, part: string) => whole.toLowerCase().startsWith(part.toLowerCase());

/** How a token can be guessed from the nonce, the user and the time; undefined where none of the usual ways works. */
function guessOf(
  token: string,
  { nonce, user, timesMs }: { nonce: string; user: string; timesMs: readonly number[] },
  shape: Shape,
): string | undefined {
  const isMade = (texts: readonly string[]) => texts.some((text) => isMadeOf(token, text, shape));
  if (isMade([nonce, digits(nonce), nonce + user, user + nonce, `${user}:${nonce}`, `${nonce}:${user}`]))
    return 'it is derived from the nonce';
  const times = new Set(timesMs.flatMap((ms) => [String(ms), String(Math.floor(ms / 1000))]));
  return isMade([...times].flatMap(withUser(user))) ? 'it is derived from the user and the time' : undefined;
}

const withUser = (user: string) => (time: string) => [
  time,
  user + time,
  time + user,
  ...[':', '-', '.', '_', ' ', '|'].flatMap((by) => [user + by + time, time + by + user]),
];

/** A service may have counted so far by now. To try more would take too long. */
const farthestCount = 1500;
/** Whether the token is a small number, or derived from one. */
const isCounted = (token: string, shape: Shape) =>
  Array.from({ length: farthestCount }, (_, number) => String(number)).some((number) => isMadeOf(token, number, shape));

/** The characters that tokens have, in order. */
const alphabetOf = (shape: Shape) => [...new Set(shape.join(''))].sort().join('');

/** Whether each is a little more, or a little less, than the one before. */
function isSequence(tokens: readonly string[], shape: Shape): boolean {
  const alphabet = alphabetOf(shape);
  const digitOf = (character: string) => Math.max(alphabet.indexOf(character), alphabet.indexOf(character.toLowerCase()), 0);
  const numbers = tokens.map((token) => [...token].reduce((sum, each) => sum * BigInt(alphabet.length) + BigInt(digitOf(each)), 0n));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] as bigint));
  return (
    steps.length > 1 &&
    steps.every((step) => step > -closeTogether && step < closeTogether) &&
    (steps.every((step) => step > 0n) || steps.every((step) => step < 0n))
  );
}

/** What differs from token to token, in bits. */
function bitsOf(tokens: readonly string[], shape: Shape): number {
  const [first = '', ...others] = tokens;
  const differing = [...first].filter((character, place) => others.some((other) => other[place] !== character));
  return Math.floor(differing.length * Math.log2(alphabetOf(shape).length));
}

const unguessable = 'tokens that a stranger cannot guess';

export const guesses = single('exchange.token-unguessable', {
  afterOthers: true,
  async judge(trial) {
    const values: string[] = [];
    const shape = shapeOf(trial.protocol.exchange.tokenPattern, mostBits) as Shape;
    for (let count = 0; count < 4; count += 1) {
      trial.chain.length = 0;
      const token = await trial.login();
      values.push(token.value);
      const how = guessOf(token.value, await known(trial, token), shape);
      if (how !== undefined) throw new Violation('a token that a stranger cannot guess', how);
    }
    if (isCounted(values[0] as string, shape)) throw new Violation(unguessable, 'the token is a small number, or derived from one');
    if (isSequence(values, shape)) throw new Violation(unguessable, 'each token is the previous one plus a small number');
    // That one token comes twice is told by exchange.token-unique.
    const distinct = [...new Set(values)];
    const bits = bitsOf(distinct, shape);
    if (distinct.length > 1 && bits < leastBits) throw new Violation(unguessable, `${bits} bits of a token differ from the one before`);
  },
});

async function known({ chain, subject, protocol }: Trial, { user }: Token) {
  const [asked, issue] = chain.flatMap((link) => (isClockMove(link) ? [] : [link]));
  const nonce = asked?.answer === undefined ? '' : (nonceOf(asked.answer, protocol) ?? '');
  const dates = issue?.answer === undefined ? [] : headerValues(issue.answer, protocol.headers.date).map((text) => Date.parse(text));
  const now = subject.clock.canMove ? await subject.clock.now().catch(() => undefined) : undefined;
  const about = [...dates, now ?? Date.now()].filter((ms) => !Number.isNaN(ms));
  const seconds = about.flatMap((ms) => [-2, -1, 0, 1].map((second) => Math.floor(ms / 1000) * 1000 + second * 1000));
  const exact = now === undefined ? [] : Array.from({ length: 40 }, (_, back) => now - back);
  return { nonce, user: user.id, timesMs: [...seconds, ...exact] };
}

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
export const predicted = single('exchange.token-unguessable', {
  name: 'predicted',
  afterOthers: 'at the end',
  leastRuns: 100,
  async judge(trial) {
    const tokens: string[] = [];
    for (let words = 0; words <= stateWords && tokens.length < mostTokens; words += Math.floor((tokens.at(-1) as string).length / 8)) {
      trial.chain.length = 0;
      tokens.push((await trial.login()).value);
    }
    const generator = generatorOf(tokens);
    if (generator !== undefined)
      throw new Violation(unguessable, `${tokens.length} tokens are enough to predict the next ones: they come from ${generator}`);
  },
});
