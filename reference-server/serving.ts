import { isBoom } from '@hapi/boom';
import type { Request, ResponseToolkit, Server } from '@hapi/hapi';
import type { Bases } from './bases.js';
import { StoreUnavailable } from './errors.js';
import { httpStatus, readMethods } from './http.js';
import { incoming } from './incoming.js';
import type { Answer, HeaderLine, Incoming, Parts } from './parts/index.js';
import type { Recorder } from './recorder.js';
import { discardBody, hasBody } from './request-body.js';
import { isUnreadable } from './request-head.js';

export interface Serving {
  readonly parts: Parts;
  readonly bases: Bases;
  readonly recorder: Recorder;
  readonly basePath: string;
  readonly bodyOctets: number;
}

interface Seen {
  asked?: Incoming;
}

const allow: HeaderLine = ['Allow', readMethods.join(', ')];
const retry: HeaderLine = ['Retry-After', '1'];

/** The way of a request through Hapi: the guard, then the resource or what went wrong; every answer leaves by the wire part. */
export function serveResources(server: Server, { parts, bases, recorder, basePath, bodyOctets }: Serving): void {
  const askedBy = (request: Request) => (request.app as Seen).asked ?? incoming(request, bases);
  const reply = (answer: Answer, asked: Incoming, h: ResponseToolkit) => {
    recorder.note(asked, answer, parts.clock.now());
    parts.wire.send(answer, asked);
    return h.abandon;
  };
  const refuse = (status: number, asked: Incoming, h: ResponseToolkit, ...more: HeaderLine[]) =>
    reply(parts.answers.error(status, asked.base, parts, more), asked, h);

  // Before routing: Hapi answers unknown paths, malformed escapes, OPTIONS and bad cookies before any route's own authentication.
  server.ext('onRequest', async (request, h) => {
    const asked = incoming(request, bases);
    (request.app as Seen).asked = asked;
    const { req, res } = asked.raw;
    if (isUnreadable(req)) {
      res.shouldKeepAlive = false;
      return refuse(httpStatus.badRequest, asked, h);
    }
    const tooLarge = hasBody(req) && (await discardBody(req, res, bodyOctets));
    if (req.destroyed && !req.readableEnded) return h.abandon; // the client is gone
    const answer = await parts.guard.judge(asked, parts);
    if (answer !== undefined) return reply(answer, asked, h);
    return tooLarge ? refuse(httpStatus.tooLarge, asked, h) : h.continue;
  });

  server.route({
    method: '*',
    path: '/{path*}',
    handler(request, h) {
      const asked = askedBy(request);
      const below = asked.path.startsWith(basePath) ? asked.path.slice(basePath.length) : undefined;
      const document = below === undefined ? undefined : parts.resources.find(below, asked, parts);
      if (document === undefined) return refuse(httpStatus.notFound, asked, h);
      if (!readMethods.includes(asked.method)) return refuse(httpStatus.methodNotAllowed, asked, h, allow);
      return reply(parts.answers.resource(document, asked, parts), asked, h);
    },
  });

  // What is left are Hapi's own errors (a path it cannot read) and ours.
  server.ext('onPreResponse', (request, h) => {
    const { response } = request;
    if (!isBoom(response)) return h.continue;
    if (response instanceof StoreUnavailable) return refuse(httpStatus.unavailable, askedBy(request), h, retry);
    return refuse(response.output.statusCode, askedBy(request), h);
  });
}
