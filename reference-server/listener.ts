import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.js';

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

function limitAddresses(listener: Server, most: number): void {
  const open = new Map<string, number>();
  listener.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const count = (open.get(remoteAddress) ?? 0) + 1;
    if (count > most) return void socket.destroy();
    open.set(remoteAddress, count);
    socket.once('close', () => {
      const left = (open.get(remoteAddress) ?? 1) - 1;
      if (left === 0) open.delete(remoteAddress);
      else open.set(remoteAddress, left);
    });
  });
}
