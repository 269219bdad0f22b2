import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Bases } from './bases.js';
import { httpStatus } from './http.js';
import type { Parts } from './parts/index.js';

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: httpStatus.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: httpStatus.tooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpStatus.requestTimeout,
};

/** The answers of a connection that may not have left it, in the order of their requests. */
const answers = Symbol('answers');
type Connection = Socket & { [answers]?: ServerResponse[] };

/**
 * Answers what never becomes a whole request. Hapi's own handler is taken off: it answers without any headers, and an error in the
 * body of a request that is already answered ends the process.
 */
export function answerMalformed(listener: Server, bases: Bases, parts: Parts): void {
  const remember = (req: IncomingMessage, res: ServerResponse) => {
    // Hapi refuses the target `*`, and fails on others that are no path.
    if (req.url?.[0] !== '/' && !/^https?:\/\//i.test(req.url ?? '')) req.url = '*';
    const { socket } = req as { socket: Connection };
    const before = socket[answers];
    if (before === undefined) {
      socket[answers] = [res];
      return;
    }
    while (before[0]?.closed) before.shift();
    before.push(res);
  };
  listener.prependListener('request', remember);
  listener.prependListener('checkContinue', remember);

  /** Answers are sent in the order of requests: what is done here waits for those before it, until they have let go of the socket. */
  const afterOthers = (socket: Connection, itself: ServerResponse | undefined, act: () => void) => {
    const before = socket[answers]?.findLast((each) => each !== itself && !each.closed);
    if (before !== undefined) before.once('close', () => afterOthers(socket, itself, act));
    else if (socket.writable) act();
  };

  const reject = (error: NodeJS.ErrnoException, socket: Socket, broken: ServerResponse | undefined) => {
    if (broken?.headersSent) return socket.destroySoon(); // the rest of a request that has its answer
    parts.wire.reject(parts.answers.error(statusByCode[error.code ?? ''] ?? httpStatus.badRequest, bases.own, parts), socket);
  };

  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const broken = socket[answers]?.findLast(({ req }) => !req.complete);
    afterOthers(socket, broken, () => reject(error, socket, broken));
  });

  // Node.js answers an unknown expectation by itself, without our headers, and hangs up on CONNECT; rule 1 knows no such exception.
  listener.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => listener.emit('request', req, res));
  listener.on('connect', (req: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    afterOthers(socket, undefined, () => {
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.once('finish', () => socket.end());
      listener.emit('request', req, res);
    });
  });
}
