import fc from 'fast-check';
import { durationWords } from '../../spec/index.js';
import { Untested } from '../subject/index.js';
import { expectClock, expectUsable, expectValid, freshToken, patient } from './ages.js';
import { law } from './law.js';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

export const endOfDay = (afterMs: number): number => (Math.floor(afterMs / dayMs) + 1) * dayMs;

/** The next instant after another at which the calendar of many services jumps or something of theirs begins anew. */
const boundaries = {
  'the end of the day': endOfDay,
  'the beginning of summer time': (afterMs: number) => {
    const year = new Date(afterMs).getUTCFullYear();
    return [summerTime(year), summerTime(year + 1)].find((ms) => ms > afterMs) as number;
  },
} as const;

/** In Europe: at one o'clock UTC on the last Sunday of March. */
function summerTime(year: number): number {
  const lastOfMarch = new Date(Date.UTC(year, 2, 31));
  return lastOfMarch.getTime() - lastOfMarch.getUTCDay() * dayMs + hourMs;
}

type Boundary = keyof typeof boundaries;
const all = Object.keys(boundaries) as Boundary[];

export const calendar = law<Boundary>('expiry.valid-until', {
  name: 'calendar',
  phase: 'clock',
  sharesClock: 'with others',
  isDoubtful: true,
  given: () => fc.constantFrom(...all),
  examples: () => all,
  randomCases: () => 0,
  async judge(trial, boundary, { clock, protocol }) {
    expectClock(trial);
    if (patient(trial.subject)) throw new Untested('this takes up to a year, too long for --clock wait');
    const nowMs = await clock.now();
    if (nowMs === undefined) throw new Untested('the clock does not tell the time', 'call');
    const { lifetimeMs } = protocol.token;
    const halfMs = Math.round(lifetimeMs / 2);
    await trial.advance(boundaries[boundary](nowMs + halfMs) - halfMs - nowMs);
    trial.chain.length = 0;
    const token = await freshToken(trial);
    await expectUsable(trial, token);
    const ageMs = Math.round((3 / 4) * lifetimeMs);
    await trial.advance(ageMs);
    await expectValid(trial, token, `a token of ${durationWords(ageMs)}, issued before ${boundary},`);
  },
});
