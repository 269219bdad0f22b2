import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenAt } from '../wire/index.js';
import type { TargetClock } from './clock.js';

export interface Bridge {
  /** Speaks the clock contract. */
  readonly url: string;
  close(): Promise<void>;
}

const maxBodyBytes = 1024;
const wrongBody = 'The body must be {"advanceMs": n} with n a whole number of milliseconds, zero or more.';

/** Lets a program that knows only the clock contract move any clock, from this machine only. */
export async function startBridge(clock: TargetClock): Promise<Bridge> {
  let movedMs = 0;
  let last: Promise<unknown> = Promise.resolve();

  const now = async () => ({ now: new Date((await clock.now()) ?? Date.now() + movedMs).toISOString() });
  const advance = async (ms: number) => {
    await clock.advance(ms);
    movedMs += ms;
    return now();
  };
  /** One move at a time, in the order in which they were asked for. */
  const inTurn = <T>(move: () => Promise<T>): Promise<T> => {
    const turn = last.then(move);
    last = turn.catch(() => undefined);
    return turn;
  };

  const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
    if (request.url !== '/') return [404, { error: 'The clock is at /.' }];
    if (request.method === 'GET') return [200, await now()];
    if (request.method !== 'POST') return [405, { error: 'The clock knows GET and POST.' }];
    const ms = readAdvance(await readText(request));
    return ms === undefined ? [400, { error: wrongBody }] : [200, await inTurn(() => advance(ms))];
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => write(response, status, body),
      (error: Error) => write(response, 502, { error: error.message }),
    );
  });
  const { origin, close } = await listenAt(server);
  return { url: `${origin}/`, close };
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= maxBodyBytes) parts.push(part);
  }
  return size > maxBodyBytes ? '' : Buffer.concat(parts).toString('utf8');
}

function readAdvance(text: string): number | undefined {
  try {
    const value = JSON.parse(text) as { advanceMs?: unknown } | null;
    const ms = Object.keys(value ?? {}).length === 1 ? value?.advanceMs : undefined;
    return Number.isSafeInteger(ms) && (ms as number) >= 0 ? (ms as number) : undefined;
  } catch {
    return undefined;
  }
}

function write(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
