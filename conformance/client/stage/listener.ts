import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, HeaderLine } from '../../wire/index.js';
import type { Log, LoggedRequest, Received } from '../traffic/index.js';

export interface Listener {
  readonly origin: string;
  close(): Promise<void>;
}

interface Listening {
  readonly at: LoggedRequest['at'];
  readonly log: Log;
  readonly host?: string;
  readonly port?: number;
  /** What the log no longer takes is answered all the same. */
  readonly passesOn?: true;
  /** Called when more requests came than the log takes. */
  readonly onOverrun?: () => void;
  answer(received: Received): Promise<Answer>;
}

const largestBody = 4 * 1024 * 1024;

/** Listens on a port of its own, notes every request and its answer, and sends answers exactly as they are given. */
export async function listen({ at, log, host = '127.0.0.1', port = 0, passesOn, onOverrun, answer }: Listening): Promise<Listener> {
  let origin = '';
  const server = createServer({ insecureHTTPParser: false }, (req, res) => {
    req.on('error', () => {});
    res.on('error', () => {});
    handle(req, res).catch(() => req.socket.destroy());
  });
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const received = await receive(req);
    const logged = log.arrive(at, origin, received);
    if (logged === undefined && passesOn !== true) {
      req.socket.destroy();
      onOverrun?.();
      return;
    }
    const given = await answer(received);
    if (logged !== undefined) log.answer(logged, given);
    send(given, res, mayStay(req));
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  origin = `http://${name}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(req: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > largestBody) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  const headers: HeaderLine[] = [];
  for (let index = 0; index + 1 < req.rawHeaders.length; index += 2)
    headers.push([req.rawHeaders[index] as string, req.rawHeaders[index + 1] as string]);
  return { method: req.method ?? '', target: req.url ?? '', headers, body: Buffer.concat(chunks) };
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
