import { setTimeout as sleep } from 'node:timers/promises';
import { isGranted } from '../oracle/index.js';
import { ifUntested, type Subject, type Token, Trial } from '../subject/index.js';
import { type Exchange, headerValues } from '../wire/index.js';

/** Far below the life of any token, and well above the resolution of a clock. */
const stepMs = 60_000;
const stepsInALife = 10;
/** Servers may write the same Date for a second. */
const looks = 12;
const pauseMs = 250;
const dayMs = 86_400_000;
const fresh = { freshConnection: true };

/**
 * Moves the clock a little and sees that it moved: by its own word where it has one, otherwise by the Date of the target, or by a token
 * that ends. What is wrong with the clock, as a sentence; undefined when it can be relied on.
 */
export async function clockProblem(subject: Subject): Promise<string | undefined> {
  const { clock, protocol } = subject;
  if (!clock.canMove || !clock.isInstant) return undefined;
  const ms = Math.min(stepMs, Math.round(protocol.token.lifetimeMs / stepsInALife));
  try {
    const before = clock.seesItsMoves ? undefined : await dateOf(subject);
    await clock.advance(ms);
    if (clock.seesItsMoves || (before !== undefined && (await dateMoves(subject, before, ms)))) return undefined;
    return (await endsWithTheClock(subject)) ? undefined : standsStill(clock.description);
  } catch (error) {
    return `The clock failed: ${(error as Error).message}`;
  }
}

function standsStill(what: string): string {
  return `The clock (${what}) was moved, but the server did not follow: its Date did not change, and no token expired. Does the server use this clock? A process under libfaketime needs this file as FAKETIME_TIMESTAMP_FILE, and FAKETIME_NO_CACHE=1.`;
}

/** Before anything is said about expiry: why moves of the clock say nothing of it, where nothing that ends was seen to end. */
export async function clockUnfollowed(subject: Subject): Promise<string | undefined> {
  const { clock } = subject;
  if (!clock.canMove || !clock.isInstant || clock.seesItsMoves || (await endsWithTheClock(subject).catch(() => true))) return undefined;
  return `the Date of the target followed the clock (${clock.description}), but no token and no nonce expired. Either they never expire, or the server measures their age with a monotonic clock, which this one does not move`;
}

async function dateMoves(subject: Subject, before: number, ms: number): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
    const now = await dateOf(subject);
    if (now !== undefined && now - before >= ms / 2) return true;
    if (look + 1 < looks) await sleep(pauseMs);
  }
  return false;
}

async function dateOf(subject: Subject): Promise<number | undefined> {
  const { answer } = await new Trial(subject).stranger();
  const written = answer === undefined ? undefined : headerValues(answer, subject.protocol.headers.date)[0];
  const date = written === undefined ? Number.NaN : Date.parse(written);
  return Number.isNaN(date) ? undefined : date;
}

/** The Date of a target may come from elsewhere; its tokens and nonces cannot. */
async function endsWithTheClock(subject: Subject): Promise<boolean> {
  const trial = new Trial(subject);
  const { facts, protocol, toleranceMs, clock } = subject;
  if (facts.noLogin !== undefined || (facts.noUse !== undefined && facts.unsteady === undefined)) return true;
  let token: Token | undefined;
  for (let look = 0; look < looks && token === undefined; look += 1) token = await trial.login().catch(ifUntested);
  if (token === undefined || (await isOver(() => trial.use(token, fresh), subject))) return true;
  // What lives too long ends later, so that the clock is followed all the same.
  const nonce = await trial.challenge();
  for (const ms of [protocol.token.lifetimeMs + toleranceMs + stepMs, dayMs]) {
    await clock.advance(ms);
    if (await isOver(() => trial.use(token, fresh), subject)) return true;
  }
  return isOver(() => trial.exchange(nonce, undefined, fresh), subject);
}

/** What has ended is refused every time. Of several processes that share nothing each refuses what another one gave. */
async function isOver(ask: () => Promise<Exchange>, { protocol }: Subject): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) if (isGranted(await ask(), protocol)) return false;
  return true;
}
