import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Answer, type Listener, listenAt } from '../../wire/index.js';
import { headOf, inPairs, noAnswer, upstreamOf } from '../relay/index.js';
import type { Log, LoggedRequest, Received } from '../traffic/index.js';

interface Listening {
  readonly at: LoggedRequest['at'];
  readonly log: Log;
  /** Called when more requests came than the log takes; they are not answered. */
  readonly onOverrun: () => void;
  answer(received: Received): Promise<Answer>;
}

const largestBody = 4 * 1024 * 1024;

/** Listens on a port of its own, notes every request and its answer, and sends answers exactly as they are given. */
export async function listen({ at, log, onOverrun, answer }: Listening): Promise<Listener> {
  let origin = '';
  const server = createServer({ insecureHTTPParser: false }, (req, res) => {
    req.on('error', () => {});
    res.on('error', () => {});
    handle(req, res).catch(() => req.socket.destroy());
  });
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const received = {
      method: req.method ?? '',
      target: req.url ?? '',
      headers: inPairs(req.rawHeaders),
      body: await bodyOf(req),
    };
    const logged = log.arrive(at, origin, received);
    if (logged === undefined) {
      req.socket.destroy();
      return onOverrun();
    }
    const given = await answer(received);
    log.answer(logged, given);
    send(given, res, mayStay(req));
  };
  const listener = await listenAt(server);
  ({ origin } = listener);
  return listener;
}

/** Whether the client leaves its connection open. */
function mayStay({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && !/\bclose\b/i.test(headers.connection ?? '');
}

function send({ status, reason, headers, body }: Answer, res: ServerResponse, stays: boolean): void {
  res.sendDate = false;
  // The service behind speaks of its own connection. Its wish to close is passed on, and Keep-Alive only where the client keeps this one open.
  const lines = headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'connection' ? /\bclose\b/i.test(value) : stays || lower !== 'keep-alive';
  });
  res.writeHead(status, reason, lines.flat() as string[]);
  res.end(body);
}

/** Of one connection only, or already done with when the body was read. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'expect', 'transfer-encoding', 'content-length']);

/** Passes requests on to the origin of an address, their headers as they came, and gives the answers; 502 where none came. */
export function forwardTo(service: URL) {
  const upstream = upstreamOf(service);
  const send = async ({ method, target, headers, body }: Received): Promise<Answer> => {
    const kept = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
    const isFramed = headers.some(([name]) => ['content-length', 'transfer-encoding'].includes(name.toLowerCase()));
    try {
      const came = await upstream.ask({ method, target, headers: kept.flat() as string[], body: isFramed ? body : undefined });
      const head = headOf(came);
      const lines = head.headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
      return { ...head, headers: lines, body: await buffer(came) };
    } catch (error) {
      const { status, text } = noAnswer(error as Error);
      const told = { status, reason: 'Bad Gateway', httpVersion: '1.1', body: Buffer.from(`${text}\n`) };
      return { ...told, headers: [['Content-Type', 'text/plain']] };
    }
  };
  return { send, close: () => upstream.close() };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > largestBody) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
