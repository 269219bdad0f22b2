import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OptionError } from './errors.js';

export const defaultLimits = {
  /** Simultaneous connections; further ones are closed at once. */
  connections: 4096,
  /** Simultaneous connections of one address, so that nobody takes all of them; further ones are closed at once. */
  connectionsPerAddress: 1024,
  /** Request line and header together, in octets; more is answered with 431. */
  headerOctets: 16_384,
  /** Body of a request; more is answered with 413 to those who may ask, and never kept in memory. */
  bodyOctets: 65_536,
  /** Until the header must be complete, also of the first request on a silent connection; then 408. */
  headerTimeoutMs: 10_000,
  /** Until header and body must be complete; then 408. */
  requestTimeoutMs: 20_000,
  /** How long an idle connection is kept for the next request. */
  keepAliveMs: 15_000,
  /** How long a connection may be silent in both directions while an answer is under way. */
  idleMs: 60_000,
  /** How long `close` waits for answers under way. */
  closeMs: 2000,
} as const;

/** What one client may ask of the server. Every limit is set on purpose and can be changed. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };

export function validLimits(limits: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name))
      throw new OptionError(`limits.${name}`, `there is no such limit; allowed are ${Object.keys(defaultLimits).join(', ')}`);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new OptionError(`limits.${name}`, `${String(value)} is not allowed; a whole number of 1 or more is`);
  }
  const all = { ...defaultLimits, ...limits };
  if (all.headerTimeoutMs > all.requestTimeoutMs) {
    throw new OptionError(
      'limits.headerTimeoutMs',
      `${all.headerTimeoutMs} is not allowed; at most requestTimeoutMs (${all.requestTimeoutMs}) is`,
    );
  }
  return all;
}

/** Node looks every 30 seconds by itself, and keeps a silent connection for as long. */
const checkEveryMs = 1000;

/** The HTTP server under Hapi, with its limits. */
export function makeListener(limits: Limits): Server {
  const listener = createServer({
    insecureHTTPParser: false, // a request with both a length and chunks is refused, whatever NODE_OPTIONS say
    requireHostHeader: false, // refused by us instead, with our headers
    maxHeaderSize: limits.headerOctets,
    headersTimeout: limits.headerTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(checkEveryMs, limits.headerTimeoutMs),
    noDelay: true,
  });
  listener.timeout = limits.idleMs;
  limitConnections(listener, limits);
  return listener;
}

/** Closes what all open beyond what is allowed, and one address beyond its share. A connection may be handed to the listener again, and counts once. */
export function limitConnections(listener: Server, { connections, connectionsPerAddress }: Limits = defaultLimits): void {
  listener.maxConnections = connections;
  const open = new Map<string, Set<Socket>>();
  listener.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const sockets = open.get(remoteAddress) ?? new Set();
    if (sockets.has(socket)) return;
    if (sockets.size >= connectionsPerAddress) return void socket.destroy();
    open.set(remoteAddress, sockets.add(socket));
    socket.once('close', () => sockets.delete(socket) && sockets.size === 0 && open.delete(remoteAddress));
  });
}

const timeoutMs = 5000;

/** A listener for tests and their tools, on loopback and on a free port. */
export async function listenOnLoopback(handle: (req: IncomingMessage, res: ServerResponse) => void) {
  const timeouts = { requestTimeout: timeoutMs, headersTimeout: timeoutMs, connectionsCheckingInterval: checkEveryMs };
  const listener = createServer(timeouts, handle);
  limitConnections(listener);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}

/** What is wrong with the Host of a request to such a listener. A page reaches loopback by a name of its own, too (DNS rebinding). */
export function wrongHost({ headers, socket }: IncomingMessage): string | undefined {
  const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  if (own.includes(headers.host?.toLowerCase() ?? '')) return undefined;
  return `this Host is not allowed; ${own.map((host) => `http://${host}`).join(' and ')} are`;
}

/** What is wrong when a page of another origin asks. */
export function wrongOrigin({ headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): string | undefined {
  const own = `http://${host?.toLowerCase()}`;
  if (origin !== undefined && origin !== own) return `this Origin is not allowed; none is, and ${own}`;
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return `a page of another origin is not allowed; one of ${own} is`;
}
