import { isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject, Server } from '@hapi/hapi';
import { httpStatus, readMethods } from './http.js';
import type { Answer, HeaderLine } from './parts/index.js';
import { answerOf, type Deployment, incoming, respond } from './plugin/index.js';
import type { Recorder } from './recorder.js';
import { discardBody, hasBody } from './request-body.js';

const allow: HeaderLine = ['Allow', readMethods.join(', ')];

/** The demonstration resources: one route, so that a change of the `resources` part can put them at any address. */
export function serveResources(server: Server, { parts, bases, bodyOctets }: Deployment, basePath: string): void {
  const find = (request: Request, isTooLarge: boolean) => {
    const asked = incoming(request, bases);
    const refuse = (status: number, ...more: HeaderLine[]) =>
      respond(request, parts.answers.error(status, asked.base, parts, more), asked, parts);
    if (isTooLarge) return refuse(httpStatus.tooLarge);
    const below = asked.path.startsWith(basePath) ? asked.path.slice(basePath.length) : undefined;
    const document = below === undefined ? undefined : parts.resources.find(below, asked, parts);
    if (document === undefined) return refuse(httpStatus.notFound);
    if (!readMethods.includes(asked.method)) return refuse(httpStatus.methodNotAllowed, allow);
    return respond(request, parts.answers.resource(document, asked, parts), asked, parts);
  };
  const handler: Lifecycle.Method = (request) => {
    const { req, res } = request.raw;
    return hasBody(req) ? discardBody(req, res, bodyOctets).then((isTooLarge) => find(request, isTooLarge)) : find(request, false);
  };
  const payload = { parse: false, output: 'stream', maxBytes: Number.MAX_SAFE_INTEGER } as const; // it is counted as it is read
  server.route({ method: '*', path: '/{path*}', handler, options: { payload, state: { parse: false } } });
}

/** Notes every answer as it is about to be sent. */
export function recordAnswers(server: Server, { parts, bases }: Deployment, recorder: Recorder): void {
  server.ext('onPreResponse', (request, h) => {
    const { response } = request;
    const answer = isBoom(response)
      ? { status: response.output.statusCode, headers: lines(response.output.headers), body: response.output.payload as unknown as Buffer }
      : (answerOf(response) ?? ofApplication(response));
    recorder.note(incoming(request, bases), answer, parts.clock.now());
    return h.continue;
  });
}

/** The answer of a route that somebody has added to the server. */
function ofApplication({ statusCode, headers, source }: ResponseObject): Answer {
  const body = Buffer.isBuffer(source) ? source : Buffer.from(typeof source === 'string' ? source : JSON.stringify(source));
  return { status: statusCode, headers: lines(headers), body };
}

function lines(headers: object): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each): HeaderLine => [name, String(each)]));
}
