import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpStatus } from './http.js';
import type { ManualClock } from './parts/index.js';

/** The clock contract over HTTP. Test control and no part of the protocol: a listener of its own, on loopback only. */
export interface ClockControl {
  readonly url: string;
  close(): Promise<void>;
}

const bodyOctets = 1024;
const timeoutMs = 5000;
const local = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/;

export async function startClockControl(clock: ManualClock): Promise<ClockControl> {
  const listener = createServer({ requestTimeout: timeoutMs, headersTimeout: timeoutMs }, (req, res) => {
    handle(clock, req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}

async function handle(clock: ManualClock, req: IncomingMessage, res: ServerResponse): Promise<void> {
  // A page in a browser reaches loopback by a name of its own (DNS rebinding), or with an Origin.
  if (!local.test(req.headers.host ?? '') || req.headers.origin !== undefined)
    return refuse(res, 'only programs on this machine may move the clock');
  if (req.method === 'GET') return tell(res, clock.now());
  if (req.method !== 'POST') return refuse(res, 'GET reads the clock, POST moves it', httpStatus.methodNotAllowed);
  const advanceMs = readAdvance(await readBody(req));
  if (typeof advanceMs === 'string') return refuse(res, advanceMs);
  try {
    tell(res, clock.advance({ ms: advanceMs }));
  } catch (error) {
    refuse(res, (error as Error).message);
  }
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets <= bodyOctets) chunks.push(chunk);
  }
  return octets > bodyOctets ? '' : Buffer.concat(chunks).toString('utf8');
}

function readAdvance(body: string): number | string {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    return 'a JSON object such as {"advanceMs": 60000} is expected';
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return 'a JSON object such as {"advanceMs": 60000} is expected';
  const other = Object.keys(said).find((name) => name !== 'advanceMs');
  if (other !== undefined) return `there is no member ${other}; advanceMs is expected`;
  const { advanceMs } = said as { advanceMs?: unknown };
  if (typeof advanceMs !== 'number' || !Number.isSafeInteger(advanceMs) || advanceMs < 0) {
    return 'advanceMs is a whole number of milliseconds, 0 or more; a clock never goes back';
  }
  return advanceMs;
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
