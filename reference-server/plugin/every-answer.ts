import { type Boom, isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { StoreUnavailable } from '../errors.js';
import { httpStatus } from '../http.js';
import type { HeaderLine } from '../parts/index.js';
import { discardBody, hasBody } from '../request-body.js';
import { after } from '../stores/index.js';
import { type Deployment, decide } from './deployment.js';
import { answerOf, respond, sendAs } from './respond.js';

/**
 * What Hapi's authentication cannot do, because it belongs to routes: Hapi answers unknown addresses, malformed paths, bad cookies and
 * OPTIONS before it authenticates anybody, and rule 1 knows no such exception. So the last step before any answer below the base path
 * asks who is asking where nobody has, and completes answers that are not the protocol's own.
 */
export function everyAnswer(deployment: Deployment): Lifecycle.Method {
  const { spec, bodyOctets, askedOf } = deployment;
  const isBelow = belowBase(deployment);

  const challenged = (request: Request, response: ResponseObject | Boom) => {
    const ask = askedOf(request);
    const { parts } = ask.by;
    if (isUnasked(request, response)) return decide(ask);
    const isRefusal = isBoom(response) && response.output.statusCode === spec.protocol.challenge.status && !request.auth.isAuthenticated;
    return isRefusal ? parts.answers.challenge(parts.nonces.issue(), ask.asked, parts) : undefined;
  };

  const complete = (request: Request, response: ResponseObject | Boom) => {
    const { asked, by } = askedOf(request);
    const { base } = asked;
    const { parts } = by;
    request.info.acceptEncoding = 'identity'; // a compressed answer has no length
    if (request.headers['range'] !== undefined) delete request.headers['range']; // whether a range can be given is found out when no header can be added any more
    if (!isBoom(response)) return parts.answers.complete(response.headers as Record<string, string>, base);
    const { status, lines, message } = told(response);
    sendAs(response, parts.answers.error(status, base, parts, lines, message));
  };

  const finish = (request: Request, h: ResponseToolkit) => {
    const { response, auth } = request;
    if (answerOf(response) !== undefined || !isBelow(request)) return h.continue;
    if (auth.isAuthenticated && !isBoom(response)) {
      complete(request, response); // most answers: nobody need be asked about them
      return h.continue;
    }
    return after(challenged(request, response), (answer) => {
      if (answer !== undefined) return respond(request, answer, askedOf(request));
      complete(request, response);
      return h.continue;
    });
  };

  return (request, h) => {
    const { req, res } = request.raw;
    const finished = finish(request, h);
    if (!hasBody(req)) return finished;
    return after(finished, (instead) => (isUnread(request) ? discardBody(req, res, bodyOctets).then(() => instead) : instead));
  };
}

/** Hapi itself answered, or another plugin before the route was reached; the application's `auth: false` is respected. */
function isUnasked({ auth, route }: Request, response: ResponseObject | Boom): boolean {
  if (auth.mode !== null || (isBoom(response) && response.isServer)) return false;
  const { method, settings } = route as { method: string; settings: { auth?: unknown } };
  return method === '_special' || settings.auth !== false;
}

/** Whether some of its body may still be on its way; what a route has taken as its payload is its own affair. */
function isUnread({ payload, raw: { req } }: Request): boolean {
  return payload === undefined && !req.readableEnded;
}

/** What is no path at all (`*`, or what cannot be read) is at no address, and so nobody's but ours. */
export function belowBase({ basePath }: Deployment): (request: Request) => boolean {
  const lower = basePath.toLowerCase();
  return ({ path, server }) => {
    if (basePath === '' || !path.startsWith('/')) return true;
    const isSame = path.startsWith(basePath) || (!server.settings.router?.isCaseSensitive && path.toLowerCase().startsWith(lower));
    return isSame && (path.length === basePath.length || path[basePath.length] === '/');
  };
}

/** An error's status, header lines and message, where it has one of its own; why the server failed is for its log only. */
function told(error: Boom): { status: number; lines: HeaderLine[]; message?: string } {
  if (error instanceof StoreUnavailable) return { status: httpStatus.unavailable, lines: [['Retry-After', '1']] };
  const { statusCode: status, headers, payload } = error.output;
  const lines = Object.entries(headers).map(([name, value]): HeaderLine => [name, String(value)]);
  return status === httpStatus.failed || payload.message === payload.error
    ? { status, lines }
    : { status, lines, message: payload.message };
}
