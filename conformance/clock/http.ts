import { createClient, type Exchange } from '../wire/index.js';
import { ClockError, type ClockOptions, ForeignMove, iso, membersOf, type TargetClock, usual } from './clock.js';

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
/** A clock may tell whole seconds only. */
const resolutionMs = 1000;
const defaultTimeoutMs = 10_000;

/** A clock that speaks the clock contract: GET tells the time, POST moves it. */
export async function httpClock(setting: string, options: ClockOptions): Promise<TargetClock> {
  const url = new URL(setting);
  const client = createClient({ timeoutMs: defaultTimeoutMs, ...options, baseUrl: url, maxConnections: 1 });
  const target = `${url.pathname}${url.search}`;
  const where = `${url.origin}${url.pathname}`;
  let lastMs = Number.NaN;
  let lastSentAtMs = 0;

  const read = (exchange: Exchange, movedMs: number): number => {
    const nowMs = readNow(exchange, where);
    // It may stand still between moves, or run as real time does.
    const passedMs = exchange.sentAtMs + exchange.durationMs - lastSentAtMs;
    if (nowMs > lastMs + movedMs + passedMs + resolutionMs) throw new ForeignMove(`the clock at ${where}`, lastMs + movedMs, nowMs);
    if (nowMs < lastMs + movedMs - resolutionMs)
      throw new ClockError(
        `The clock at ${where} did not move as told: it was ${iso(lastMs)} and is ${iso(nowMs)} after a move of ${movedMs} ms.`,
      );
    [lastMs, lastSentAtMs] = [nowMs, exchange.sentAtMs];
    return nowMs;
  };
  const now = async () => read(await client.send({ method: 'GET', target, headers: [['Accept', 'application/json']] }), 0);
  const advance = async (ms: number) => {
    const body = JSON.stringify({ advanceMs: ms });
    read(await client.send({ method: 'POST', target, headers: [['Content-Type', 'application/json']], body }), ms);
  };
  await now().catch((error: unknown) => {
    client.close();
    throw error;
  });
  return { ...usual, description: `the clock at ${where}`, advance, now, close: async () => client.close() };
}

function readNow({ request, answer, problem }: Exchange, where: string): number {
  const what = `The clock at ${where} does not speak the clock contract: ${request.method}`;
  if (problem !== undefined || answer === undefined)
    throw new ClockError(`The clock at ${where} gave no answer. ${problem?.message ?? ''}`.trim());
  if (answer.status !== 200) throw new ClockError(`${what} was answered with status ${answer.status} instead of 200.`);
  const { now } = membersOf(answer.body.toString('utf8'));
  if (typeof now !== 'string' || !rfc3339.test(now) || Number.isNaN(Date.parse(now)))
    throw new ClockError(`${what} was not answered with {"now": "<RFC 3339 date and time>"}.`);
  return Date.parse(now);
}
