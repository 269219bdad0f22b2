import { setTimeout as sleep } from 'node:timers/promises';
import { type Subject, Trial } from '../subject/index.js';
import { headerValues } from '../wire/index.js';

const moveMs = 3_600_000;
/** A process under libfaketime may look at its file only every ten seconds. */
const looks = 12;
const pauseMs = 1000;

/**
 * A server under libfaketime shows the moved clock in its Date. One that does not was started otherwise, and every law about
 * expiry would accuse it of what the clock did not do.
 */
export async function checkThatClockMoves(subject: Subject): Promise<void> {
  if (subject.clock.kind !== 'faketime') return;
  const before = await dateOf(subject);
  if (before === undefined) return;
  await subject.clock.advance(moveMs);
  for (let look = 0; look < looks; look += 1) {
    const now = await dateOf(subject);
    if (now === undefined || now - before >= moveMs / 2) return;
    await sleep(pauseMs);
  }
  subject.facts.noClock =
    'the Date of the target did not move with the clock; is it running under libfaketime, with this file as FAKETIME_TIMESTAMP_FILE and with FAKETIME_NO_CACHE=1?';
}

async function dateOf(subject: Subject): Promise<number | undefined> {
  const exchange = await new Trial(subject).stranger().catch(() => undefined);
  const written = exchange?.answer === undefined ? undefined : headerValues(exchange.answer, subject.protocol.headers.date)[0];
  const date = written === undefined ? Number.NaN : Date.parse(written);
  return Number.isNaN(date) ? undefined : date;
}
