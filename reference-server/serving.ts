import type { Lifecycle, Request, Server } from '@hapi/hapi';
import { httpStatus, readMethods } from './http.js';
import type { HeaderLine } from './parts/index.js';
import { type Deployment, incoming, respond } from './plugin/index.js';
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
