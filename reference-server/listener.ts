import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { defaultLimits, type Limits } from './limits.js';

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
  listener.maxConnections = limits.connections;
  listener.timeout = limits.idleMs;
  limitAddresses(listener, limits.connectionsPerAddress);
  return listener;
}

/** Closes what one address opens beyond its share. A connection may be handed to the listener again, and counts once. */
export function limitAddresses(listener: Server, most = defaultLimits.connectionsPerAddress): void {
  const open = new Map<string, Set<Socket>>();
  listener.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const sockets = open.get(remoteAddress) ?? new Set();
    if (sockets.has(socket)) return;
    if (sockets.size >= most) return void socket.destroy();
    open.set(remoteAddress, sockets.add(socket));
    socket.once('close', () => sockets.delete(socket) && sockets.size === 0 && open.delete(remoteAddress));
  });
}
