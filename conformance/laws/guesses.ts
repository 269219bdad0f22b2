import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { nonceOf } from '../expect/index.js';
import { type Token, type Trial, Violation } from '../subject/index.js';
import { headerValues, isClockMove } from '../wire/index.js';
import { law } from './law.js';

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'];
/** Fewer can be tried one after another. */
const leastBits = 64;
const closeTogether = 2n ** 20n;

const digits = (text: string) => text.toLowerCase().replace(/[^0-9a-f]/g, '');
const digests = (text: string) => algorithms.map((name) => createHash(name).update(text).digest('hex'));
const isMadeOf = (token: string, text: string) => token === digits(text) || digests(text).some((each) => each.startsWith(token));

/** How a stranger would guess a token who knows the nonce, the user and about the time; undefined when none of the usual ways works. */
export function guessOf(
  token: string,
  { nonce, user, timesMs }: { nonce: string; user: string; timesMs: readonly number[] },
): string | undefined {
  const value = digits(token);
  if (/^[0-9a-f:._-]+$/i.test(token) && value.length * 4 < leastBits) return `it has ${value.length * 4} bits`;
  for (const text of [nonce, digits(nonce), nonce + user, user + nonce, `${user}:${nonce}`, `${nonce}:${user}`])
    if (isMadeOf(value, text)) return 'it is made of the nonce';
  for (const text of [...timesMs.flatMap((ms) => [String(ms), String(Math.floor(ms / 1000))]).flatMap(withUser(user))])
    if (isMadeOf(value, text)) return 'it is made of the user and the time';
  return undefined;
}

const withUser = (user: string) => (time: string) => [
  time,
  user + time,
  time + user,
  ...[':', '-', '.', '_', ' ', '|'].flatMap((by) => [user + by + time, time + by + user]),
];

/** Whether each is a little more, or a little less, than the one before. */
export function isSequence(tokens: readonly string[]): boolean {
  const numbers = tokens.map((token) => BigInt(`0x0${digits(token)}`));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] as bigint));
  return (
    steps.length > 1 &&
    steps.every((step) => step > -closeTogether && step < closeTogether) &&
    (steps.every((step) => step > 0n) || steps.every((step) => step < 0n))
  );
}

export const guesses = [
  law<number>('exchange.token-unguessable', {
    phase: 'history',
    given: () => fc.constant(0),
    randomCases: () => 1,
    async judge(trial) {
      const tokens: Token[] = [];
      for (let count = 0; count < 4; count += 1) {
        trial.chain.length = 0;
        const token = await trial.login();
        tokens.push(token);
        const how = guessOf(token.value, await known(trial, token));
        if (how !== undefined) throw new Violation('a token that a stranger cannot guess', how);
      }
      if (isSequence(tokens.map(({ value }) => value)))
        throw new Violation('tokens that a stranger cannot guess', 'each token is the one before and a little more');
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
