import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
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
  readonly host?: string | undefined;
  readonly port?: number | undefined;
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
    const received = { method: req.method ?? '', target: req.url ?? '', headers: linesOf(req), body: await bodyOf(req, largestBody) };
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

interface Forwarder {
  /** Passes a request on and gives the answer; 502 where none came. */
  send(received: Received): Promise<Answer>;
  close(): void;
}

/** Of one connection only, or already done with when the body was read. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'expect', 'transfer-encoding', 'content-length']);

/** That of a request; requests are framed anew. */
const lengthName = 'Content-Length';

/** Passes requests on to the origin of an address, their headers as they came. */
export function forwardTo({ protocol, hostname, port }: URL, trust: { readonly ca?: string; readonly insecure?: boolean } = {}): Forwarder {
  const secure = protocol === 'https:';
  const { request, Agent } = secure ? https : http;
  const { ca, insecure } = trust;
  const agent = new Agent({
    keepAlive: true,
    ...(secure ? { rejectUnauthorized: insecure !== true, ...(ca === undefined ? {} : { ca }) } : {}),
  });
  const host = hostname.replace(/^\[|\]$/g, '');
  const ask = ({ method, target: path, headers, body }: Received) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const kept = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
      const isFramed = headers.some(([name]) => ['content-length', 'transfer-encoding'].includes(name.toLowerCase()));
      const framed: HeaderLine[] = isFramed ? [...kept, [lengthName, String(body.length)]] : kept;
      const asking = request({ host, port, method, path, agent, headers: framed.flat() as string[] } as https.RequestOptions, resolve);
      asking.on('error', reject);
      asking.end(body);
    });
  const send = async (received: Received): Promise<Answer> => {
    try {
      const came = await ask(received);
      return {
        status: came.statusCode ?? 0,
        reason: came.statusMessage ?? '',
        httpVersion: came.httpVersion,
        headers: linesOf(came).filter(([name]) => name.toLowerCase() !== 'transfer-encoding'),
        body: await bodyOf(came),
      };
    } catch (error) {
      const body = Buffer.from(`The service gave no answer: ${(error as Error).message}\n`);
      return { status: 502, reason: 'Bad Gateway', httpVersion: '1.1', headers: [['Content-Type', 'text/plain']], body };
    }
  };
  return { send, close: () => agent.destroy() };
}

async function bodyOf(message: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > most) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function linesOf({ rawHeaders }: IncomingMessage): HeaderLine[] {
  return rawHeaders.flatMap((name, index): HeaderLine[] => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}
