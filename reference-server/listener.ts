import { createServer, type Server } from 'node:http';
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
  return listener;
}
