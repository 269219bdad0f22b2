import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Bases } from './bases.js';
import { httpStatus } from './http.js';
import type { Parts } from './parts/index.js';

const statusByCode: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', httpStatus.headersTooLarge],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', httpStatus.tooLarge],
  ['ERR_HTTP_REQUEST_TIMEOUT', httpStatus.requestTimeout],
]);

/** Node.js keeps on a connection the answer that is being sent, and looks there for the same reason; to keep one's own costs each request a twentieth. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Answers what never becomes a whole request. Hapi's own handler is taken off: it answers without any headers, and an error in the
 * body of a request that is already answered ends the process.
 */
export function answerMalformed(listener: Server, bases: Bases, parts: Parts): void {
  // Hapi refuses the target `*`, and fails on others that are no path.
  const readTarget = (req: IncomingMessage) => {
    if (req.url?.[0] !== '/' && !/^https?:\/\//i.test(req.url ?? '')) req.url = '*';
  };
  listener.prependListener('request', readTarget);
  listener.prependListener('checkContinue', readTarget);

  /** Answers are sent in the order of requests: what is done here waits for those to whole requests. It is given the one to half a request. */
  const afterOthers = (socket: Connection, act: (broken: ServerResponse | undefined) => void) => {
    const current = socket._httpMessage ?? undefined;
    if (current?.req.complete) current.once('close', () => afterOthers(socket, act));
    else if (socket.writable) act(current);
  };

  const reject = (error: NodeJS.ErrnoException, socket: Socket, broken: ServerResponse | undefined) => {
    if (broken?.headersSent) return socket.destroySoon(); // the rest of a request that has its answer
    parts.wire.reject(parts.answers.error(statusByCode.get(error.code) ?? httpStatus.badRequest, bases.own(), parts), socket);
  };

  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    afterOthers(socket, (broken) => reject(error, socket, broken));
  });

  // Node.js answers an unknown expectation by itself, without our headers, and hangs up on CONNECT; rule 1 knows no such exception.
  listener.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => listener.emit('request', req, res));
  listener.on('connect', (req: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    afterOthers(socket, () => {
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.once('finish', () => socket.end());
      listener.emit('request', req, res);
    });
  });
}
