import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type Shape, shapeOf } from '../../spec/index.js';
import { nonceOf } from '../expect/index.js';
import { type Token, type Trial, Violation } from '../subject/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import { law } from './law.js';

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'];
/** A token with fewer bits can be found by trying all of them. */
const leastBits = 64;
const closeTogether = 2n ** 20n;
/** As many as the longest digest has. */
const mostBits = 512;

const digits = (text: string) => text.toLowerCase().replace(/[^0-9a-f]/g, '');
/** Whether a token is the beginning of these octets, written in the characters that tokens have. */
function isWritten(octets: Buffer, shape: Shape, token: string): boolean {
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
  const octets = [Buffer.from(text), ...algorithms.map((name) => createHash(name).update(text).digest())];
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
  for (const text of [nonce, digits(nonce), nonce + user, user + nonce, `${user}:${nonce}`, `${nonce}:${user}`])
    if (isMadeOf(token, text, shape)) return 'it is derived from the nonce';
  const times = new Set(timesMs.flatMap((ms) => [String(ms), String(Math.floor(ms / 1000))]));
  for (const text of [...times].flatMap(withUser(user)))
    if (isMadeOf(token, text, shape)) return 'it is derived from the user and the time';
  return undefined;
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

export const guesses = [
  law<number>('exchange.token-unguessable', {
    phase: 'history',
    given: () => fc.constant(0),
    randomCases: () => 1,
    async judge(trial) {
      const tokens: Token[] = [];
      const shape = shapeOf(trial.protocol.exchange.tokenPattern, mostBits) as Shape;
      for (let count = 0; count < 4; count += 1) {
        trial.chain.length = 0;
        const token = await trial.login();
        tokens.push(token);
        const how = guessOf(token.value, await known(trial, token), shape);
        if (how !== undefined) throw new Violation('a token that a stranger cannot guess', how);
      }
      const values = tokens.map(({ value }) => value);
      if (isCounted(values[0] as string, shape))
        throw new Violation('tokens that a stranger cannot guess', 'the token is a small number, or derived from one');
      if (isSequence(values, shape))
        throw new Violation('tokens that a stranger cannot guess', 'each token is the previous one plus a small number');
      // That one token comes twice is told by exchange.token-unique.
      const distinct = [...new Set(values)];
      const bits = bitsOf(distinct, shape);
      if (distinct.length > 1 && bits < leastBits)
        throw new Violation('tokens that a stranger cannot guess', `${bits} bits of a token differ from the one before`);
    },
  }),
];

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
