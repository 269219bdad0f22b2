import type { EventEmitter } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import type { Answer, WireProblem } from '../../wire/index.js';
import type { Received } from '../traffic/index.js';
import { inPairs } from './lines.js';

/** A request for the service. */
export interface Outgoing {
  readonly method: string;
  /** Path and query as they were written. */
  readonly target: string;
  /** Names and values in turn, without those of framing. */
  readonly headers: readonly string[];
  /** Nothing, octets that can be sent again, or a stream that cannot. */
  readonly body: Buffer | IncomingMessage | undefined;
  /** Another protocol that the connection is to change to. */
  readonly upgrade?: string | undefined;
  /** When this closes nobody waits for the answer any more. */
  readonly waiting?: EventEmitter & { readonly writableFinished: boolean };
  readonly timeoutMs?: number;
}

/** The connection, after a change to another protocol. */
export interface Switched {
  readonly socket: Duplex;
  readonly head: Buffer;
}

export type Came = IncomingMessage & { switched?: Switched };

/** Is told of every request that is sent, and then of its answer: when the head has come, so that whoever asked can act on it, and when it is over. */
export type Observe = (sent: Received) => (answer: Answer | undefined, over?: { readonly problem?: WireProblem }) => void;

export type Upstream = ReturnType<typeof upstreamOf>;

/** So many octets of a body are shown to an observer. */
const mostOctets = 64 * 1024;
const longestDiscardMs = 10_000;

/** Node.js frames other methods by itself, even where there is no body. */
const unframed: readonly string[] = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

/** A connection that was kept may be closed by the service just when a request goes out on it. A login may have spent its nonce by then. */
const maySendAgain = ({ method, body, headers }: Outgoing) =>
  (method === 'GET' || method === 'HEAD') && body === undefined && !headers.some((name) => /^authorization$/i.test(name));

export function upstreamOf(
  { protocol, hostname, port }: URL,
  { ca, insecure }: { readonly ca?: string; readonly insecure?: boolean } = {},
  observe?: Observe,
) {
  const secure = protocol === 'https:';
  const { request, Agent } = secure ? https : http;
  const trust = secure ? { rejectUnauthorized: insecure !== true, ...(ca === undefined ? {} : { ca }) } : {};
  const agent = new Agent({ keepAlive: true, ...trust });
  const host = hostname.replace(/^\[|\]$/g, '');
  /** Sends a request to the one origin and gives the head of the answer. No redirect is followed. */
  const ask = (outgoing: Outgoing): Promise<Came> =>
    new Promise((resolve, reject) => {
      const { method, target, body, waiting, timeoutMs } = outgoing;
      const headers = [...outgoing.headers, ...framing(outgoing)];
      const asking = request({ host, port, method, path: target, agent, headers } as http.RequestOptions);
      const observed = observe === undefined ? undefined : observedBy(observe, outgoing, headers);
      asking.on('response', (came) => {
        observed?.(came);
        resolve(came);
      });
      asking.on('upgrade', (came, socket, head) => {
        observed?.(came);
        resolve(Object.assign(came, { switched: { socket, head } }));
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        if (asking.reusedSocket && error.code === 'ECONNRESET' && maySendAgain(outgoing)) return void ask(outgoing).then(resolve, reject);
        observed?.(error);
        reject(error);
      });
      waiting?.once('close', () => waiting.writableFinished || asking.destroy());
      if (timeoutMs !== undefined) asking.setTimeout(timeoutMs, () => asking.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
      send(body, asking);
    });
  return { ask, close: () => agent.destroy() };
}

/** Reads the rest of an answer that nobody wants, so that its connection can be used again. One without end is closed. */
export function discard(came: Came): void {
  let octets = 0;
  const timer = setTimeout(() => came.destroy(), longestDiscardMs);
  came.once('close', () => clearTimeout(timer));
  came.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > mostOctets) came.destroy();
  });
  came.resume();
  came.switched?.socket.destroy();
}

function send(body: Outgoing['body'], asking: ClientRequest): void {
  if (!(body instanceof Readable)) return void asking.end(body);
  body.pipe(asking);
  // A service that has answered takes no more; the client may go on all the same.
  asking.once('close', () => body.resume());
}

/** The lines that say how long the body is. What has none is never followed by octets. */
function framing({ method, body, upgrade }: Outgoing): string[] {
  if (upgrade !== undefined) return ['Connection', 'Upgrade', 'Upgrade', upgrade];
  if (body === undefined) return unframed.includes(method) ? [] : ['Content-Length', '0'];
  if (!(body instanceof Readable)) return ['Content-Length', String(body.length)];
  const length = body.headers['content-length'];
  return length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', length];
}

/** Shows an exchange to an observer: the request now, its answer when the body has come to its end. */
function observedBy(observe: Observe, { method, target, body }: Outgoing, headers: readonly string[]) {
  const shown: Buffer = Buffer.from(Buffer.isBuffer(body) ? body.subarray(0, mostOctets) : '');
  const sent = { method, target, headers: inPairs(headers), body: shown };
  if (body instanceof Readable) collect(body, (octets) => (sent.body = octets));
  const tell = observe(sent);
  return (came: Came | Error) => {
    if (came instanceof Error) return tell(undefined, { problem: { code: 'closed', message: came.message } });
    const head = headOf(came);
    tell(head);
    if (head.status === 101) return tell({ ...head, staysOpen: true }, {});
    // Nothing flows before somebody reads it.
    came.pause();
    collect(came, (body, whole) => tell({ ...head, body, wholeOctets: whole }, came.complete ? {} : { problem: cut }));
  };
}

/** An answer whose body is still to come. */
export function headOf({ statusCode: status = 0, statusMessage: reason = '', httpVersion, rawHeaders }: IncomingMessage): Answer {
  return { status, reason, httpVersion, headers: inPairs(rawHeaders), body: Buffer.alloc(0) };
}

const cut: WireProblem = { code: 'aborted', message: 'The answer was not read to its end.' };

function collect(stream: Readable, done: (octets: Buffer, whole: number) => void): void {
  const chunks: Buffer[] = [];
  let whole = 0;
  stream.on('data', (chunk: Buffer) => {
    if (whole < mostOctets) chunks.push(chunk);
    whole += chunk.length;
  });
  stream.once('close', () => done(Buffer.concat(chunks), whole));
}
