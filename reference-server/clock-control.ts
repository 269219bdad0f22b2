import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { httpStatus } from './http.js';
import { listenOnLoopback } from './loopback.js';
import type { ManualClock } from './parts/index.js';

/** The clock contract over HTTP. Test control and no part of the protocol: a listener of its own, on loopback only. */
export interface ClockControl {
  readonly url: string;
  close(): Promise<void>;
}

const bodyCharacters = 1024;
const local = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/;

export async function startClockControl(clock: ManualClock): Promise<ClockControl> {
  const { port, close } = await listenOnLoopback((req, res) => {
    handle(clock, req, res).catch(() => res.destroy());
  });
  return { url: `http://127.0.0.1:${port}/`, close };
}

async function handle(clock: ManualClock, req: IncomingMessage, res: ServerResponse): Promise<void> {
  // A page in a browser reaches loopback by a name of its own (DNS rebinding), or with an Origin.
  if (!local.test(req.headers.host ?? '') || req.headers.origin !== undefined)
    return refuse(res, 'only programs on this machine may move the clock');
  if (req.method === 'GET') return tell(res, clock.now());
  if (req.method !== 'POST') return refuse(res, 'GET reads the clock, POST moves it', httpStatus.methodNotAllowed);
  const advanceMs = readAdvance(await text(req));
  if (advanceMs === undefined) {
    return refuse(res, 'an object such as {"advanceMs": 60000} is expected, of whole milliseconds: 0 or more, for a clock never goes back');
  }
  try {
    tell(res, clock.advance({ ms: advanceMs }));
  } catch (error) {
    refuse(res, (error as Error).message);
  }
}

function readAdvance(body: string): number | undefined {
  if (body.length > bodyCharacters) return undefined;
  try {
    const { advanceMs, ...others } = JSON.parse(body);
    return Number.isSafeInteger(advanceMs) && advanceMs >= 0 && Object.keys(others).length === 0 ? advanceMs : undefined;
  } catch {
    return undefined;
  }
}

function tell(res: ServerResponse, nowMs: number): void {
  send(res, httpStatus.ok, { now: new Date(nowMs).toISOString() });
}

function refuse(res: ServerResponse, error: string, status: number = httpStatus.badRequest): void {
  send(res, status, { error });
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
