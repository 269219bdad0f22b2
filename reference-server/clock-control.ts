import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpStatus } from './http.js';
import { listenOnLoopback, wrongHost, wrongOrigin } from './listener.js';
import type { ManualClock } from './parts/index.js';
import { readBody } from './request-body.js';

/** The clock contract over HTTP. Test control and no part of the protocol: a listener of its own, on loopback only. */
export interface ClockControl {
  readonly url: string;
  close(): Promise<void>;
}

const bodyOctets = 1024;
const allowed = 'an object such as {"advanceMs": 60000} is expected, of whole milliseconds: 0 or more, for a clock never goes back';

export async function startClockControl(clock: ManualClock): Promise<ClockControl> {
  const { port, close } = await listenOnLoopback((req, res) => {
    handle(clock, req, res).catch((error: Error) => send(res, 'badRequest', { error: error.message }));
  });
  return { url: `http://127.0.0.1:${port}/`, close };
}

async function handle(clock: ManualClock, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const wrong = wrongHost(req) ?? wrongOrigin(req);
  if (wrong !== undefined) return send(res, 'badRequest', { error: wrong });
  const tell = (nowMs: number) => send(res, 'ok', { now: new Date(nowMs).toISOString() });
  if (req.method === 'GET') return tell(clock.now());
  if (req.method !== 'POST') return send(res, 'methodNotAllowed', { error: 'GET reads the clock, POST moves it' });
  const body = await readBody(req, res, bodyOctets);
  if (body === undefined) return send(res, 'tooLarge', { error: `the body is too large; ${bodyOctets} octets are allowed` });
  const advanceMs = readAdvance(body);
  if (advanceMs === undefined) return send(res, 'badRequest', { error: allowed });
  tell(clock.advance({ ms: advanceMs }));
}

function readAdvance(body: string): number | undefined {
  try {
    const { advanceMs, ...others } = JSON.parse(body);
    return Number.isSafeInteger(advanceMs) && advanceMs >= 0 && Object.keys(others).length === 0 ? advanceMs : undefined;
  } catch {
    return undefined;
  }
}

function send(res: ServerResponse, status: keyof typeof httpStatus, body: object): void {
  res.writeHead(httpStatus[status], { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
