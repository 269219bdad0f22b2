import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenAt } from '../wire/index.js';
import { canAdvance, iso, membersOf, type TargetClock } from './clock.js';

const maxBodyBytes = 1024;
const wrongBody = 'The body must be {"advanceMs": n} with n a whole number of milliseconds, zero or more.';

/** Lets a program that knows only the clock contract, which its URL speaks, move any clock, from this machine only. */
export async function startBridge(clock: TargetClock): Promise<{ readonly url: string; close(): Promise<void> }> {
  let movedMs = 0;
  const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
    if (request.url !== '/') return [404, { error: 'The clock is at /.' }];
    if (request.method !== 'GET' && request.method !== 'POST') return [405, { error: 'The clock knows GET and POST.' }];
    if (request.method === 'POST') {
      const isShort = Number(request.headers['content-length']) <= maxBodyBytes;
      const { advanceMs, ...others } = membersOf(isShort ? await text(request) : '');
      if (!canAdvance(advanceMs) || Object.keys(others).length > 0) return [400, { error: wrongBody }];
      await clock.advance(advanceMs);
      movedMs += advanceMs;
    }
    return [200, { now: iso((await clock.now()) ?? Date.now() + movedMs) }];
  };
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request).catch((error: Error) => [502, { error: error.message }] as const);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { origin, close } = await listenAt(server);
  return { url: `${origin}/`, close };
}
