import { createServer, type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { limitAddresses } from '../../../reference-server/index.js';
import type { Protocol } from '../../../spec/index.js';
import { listenAt } from '../../wire/index.js';
import type { ClientUser } from '../traffic/index.js';
import { refusalOf } from './guard.js';
import { leftOut, passedOn } from './lines.js';
import { Logins, noAnswer, type Problem } from './login.js';
import { type Came, discard, type Observe, type Outgoing, type Switched, upstreamOf } from './upstream.js';

export interface RelayOptions {
  readonly service: URL;
  readonly protocol: Protocol;
  readonly trust?: Parameters<typeof upstreamOf>[1];
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** As whom it logs in; without one, requests and answers pass as they are. */
  readonly user?: ClientUser | undefined;
  readonly observe?: Observe | undefined;
  readonly onProblem?: ((text: string) => void) | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/** A body of this length is kept until the answer is there, so that it can be sent again with a new token; so many octets of all of them. */
const [largestKept, mostKept] = [1024 * 1024, 32 * 1024 * 1024];
/** What one side has ended the other may not keep open for longer. */
const closingMs = 1000;
const ignore = () => {};

/** Listens in front of one service and passes requests and answers on as they come. */
export async function openRelay(options: RelayOptions) {
  const { service, protocol, user, nowMs = () => performance.now(), onProblem = () => {} } = options;
  const upstream = upstreamOf(service, options.trust, options.observe);
  let isOpen = true;
  // A login that our own end breaks off is no problem of the service.
  const tell = (text: string) => void (isOpen && onProblem(text));
  const logins = user === undefined ? undefined : new Logins(upstream, user, protocol, nowMs, tell);
  const { authorization, nonce, token } = protocol.headers;
  const secrets = logins === undefined ? [] : [authorization, nonce, token].map((name) => name.toLowerCase());
  const notSent = leftOut('host', 'content-length', 'expect', ...secrets);
  const notShown = leftOut(...secrets.slice(2));
  /** Headers of answers in which addresses of the service may stand. */
  const withAddresses = ['location', 'content-location', protocol.headers.link.toLowerCase()];
  const switched = new Set<Duplex>();
  let kept = 0;
  let port = '';
  let inside: (text: string) => string;

  const askAs = async (request: Outgoing, all: Logins): Promise<Came | Problem> => {
    const send = (value: string | undefined) =>
      upstream.ask(value === undefined ? request : { ...request, headers: [...request.headers, token, value] });
    const login = await all.current(request);
    if (login.problem !== undefined) return login.problem;
    const came = await send(login.token);
    if (!all.isRefusal(came, login)) return came;
    const next = await all.current(request, { login, by: came });
    const isGone = request.body !== undefined && !Buffer.isBuffer(request.body);
    if (isGone || (next.token === undefined && next.problem === undefined)) return came;
    discard(came);
    return next.problem ?? send(next.token);
  };

  const bodyOf = async (req: IncomingMessage, res: ServerResponse): Promise<Outgoing['body']> => {
    const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
    if (length === undefined && coding === undefined) return undefined;
    const octets = Number(length);
    if (coding !== undefined || octets > largestKept || kept + octets > mostKept) return req;
    kept += octets;
    res.once('close', () => (kept -= octets));
    return buffer(req);
  };

  const handle = async (req: IncomingMessage, res: ServerResponse, near?: Switched): Promise<void> => {
    const refusal = logins === undefined ? undefined : refusalOf(req, port);
    if (refusal !== undefined) return say(refusal, res);
    const request: Outgoing = {
      ...{ method: req.method ?? '', target: req.url ?? '', body: await bodyOf(req, res), waiting: res },
      headers: ['Host', service.host, ...passedOn(req, notSent)],
      upgrade: near === undefined ? undefined : req.headers.upgrade,
    };
    const came = await (logins === undefined ? upstream.ask(request) : askAs(request, logins)).catch(noAnswer);
    if ('text' in came) return say(came, res);
    const lines = passedOn(came, notShown).map((each, at, all) =>
      at % 2 === 1 && withAddresses.includes((all[at - 1] as string).toLowerCase()) ? inside(each) : each,
    );
    if (came.switched !== undefined && near !== undefined) return join(came, came.switched, near, lines);
    if (came.switched !== undefined) {
      came.switched.socket.destroy();
      return say({ status: 502, text: 'The service changed to another protocol, which nobody had asked for.' }, res);
    }
    res.sendDate = false;
    res.writeHead(came.statusCode ?? 502, came.statusMessage, lines);
    // An answer without a length may be slow to begin, such as events.
    if (came.headers['content-length'] === undefined) res.flushHeaders();
    came.on('error', () => res.destroy());
    came.pipe(res);
  };

  const join = (came: Came, far: Switched, near: Switched, lines: readonly string[]): void => {
    const head = ['Connection', 'Upgrade', 'Upgrade', came.headers.upgrade ?? '', ...lines];
    const text = head.map((each, at) => (at % 2 === 0 ? `${each}: ` : `${each}\r\n`)).join('');
    near.socket.write(`HTTP/1.1 101 ${came.statusMessage}\r\n${text}\r\n`, 'latin1');
    near.socket.write(far.head);
    far.socket.write(near.head);
    switched.add(near.socket);
    for (const { socket } of [near, far]) socket.once('finish', () => setTimeout(() => socket.destroy(), closingMs).unref());
    pipeline(near.socket, far.socket, near.socket, () => switched.delete(near.socket));
  };

  const take = (req: IncomingMessage, res: ServerResponse, near?: Switched) => {
    for (const stream of [req, res]) stream.on('error', ignore);
    // What a service may write into a status line, we may not.
    handle(req, res, near).catch((error) => (res.headersSent ? req.socket.destroy() : say(noAnswer(error), res)));
  };
  const server = createServer((req, res) => take(req, res));
  server.on('upgrade', (req, socket, head) => {
    // It may come again with its next request.
    socket.off('error', ignore).on('error', ignore);
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return void server.emit('connection', withoutUpgrade(req, socket, head));
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(req.socket);
    res.once('finish', () => socket.end());
    take(req, res, { socket, head });
  });
  limitAddresses(server);
  const listener = await listenAt(server, options.host, options.port);
  port = new URL(listener.origin).port || '80';
  const ours = new RegExp(`(^|<)${service.origin.replace(/[.[\]]/g, '\\$&')}(?=[/?#>]|$)`, 'gi');
  inside = (text) => text.replace(ours, `$1${listener.origin}`);
  return {
    origin: listener.origin,
    /** Why no login worked, where one was tried. */
    loginFailure: () => logins?.failure,
    async close() {
      isOpen = false;
      for (const socket of switched) socket.destroy();
      upstream.close();
      await listener.close();
    },
  };
}

/** The connection with its request once more, which asks for no other protocol: what we do not speak may be ignored (RFC 9110, 7.8). */
function withoutUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Duplex {
  const lines = req.rawHeaders.map((each, at, all) =>
    at % 2 === 0 ? '' : /^upgrade$/i.test(all[at - 1] as string) ? '' : `${all[at - 1]}: ${each}\r\n`,
  );
  socket.unshift(Buffer.concat([Buffer.from(`${req.method} ${req.url} HTTP/${req.httpVersion}\r\n${lines.join('')}\r\n`, 'latin1'), head]));
  return socket;
}

function say({ status, text }: Problem, res: ServerResponse): void {
  const body = `${text}\n`;
  const allow = status === 405 ? { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {};
  res.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...allow,
  });
  res.end(body);
}
