import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Bases } from './bases.js';
import { httpStatus } from './http.js';
import type { Limits } from './limits.js';
import type { Parts } from './parts/index.js';

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: httpStatus.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: httpStatus.tooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpStatus.requestTimeout,
};

const checkEveryMs = 1000;

/** The HTTP server under Hapi, with its limits. */
export function makeListener(limits: Limits): Server {
  const listener = createServer({
    insecureHTTPParser: false, // a request with both Content-Length and Transfer-Encoding is refused, whatever NODE_OPTIONS say
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

/**
 * Answers what never becomes a request. Hapi's own handler is taken off: it answers without any headers, and an error in the body of
 * a request that is already answered ends the process.
 */
export function answerMalformed(listener: Server, bases: Bases, parts: Parts): void {
  const latest = new WeakMap<Socket, { readonly req: IncomingMessage; readonly res: ServerResponse }>();
  const remember = (req: IncomingMessage, res: ServerResponse) => latest.set(req.socket, { req, res });
  listener.prependListener('request', remember);
  listener.prependListener('checkContinue', remember);

  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const last = latest.get(socket);
    if (last !== undefined && !last.res.writableFinished && !last.res.destroyed) {
      last.res.shouldKeepAlive = false;
      last.res.once('close', () => socket.destroySoon());
    } else if (last !== undefined && !last.req.complete) {
      socket.destroySoon(); // the body of a request that has its answer
    } else {
      parts.wire.reject(parts.answers.error(statusByCode[error.code ?? ''] ?? httpStatus.badRequest, bases.own, parts), socket);
    }
  });

  // Node.js hangs up on CONNECT by itself; rule 1 knows no method that is not challenged.
  listener.on('connect', (req: IncomingMessage, socket: Socket) => {
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    listener.emit('request', req, res);
  });
}
