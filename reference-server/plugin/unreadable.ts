import type { IncomingMessage } from 'node:http';
import { badRequest } from '@hapi/boom';
import type { Lifecycle } from '@hapi/hapi';
import { httpStatus } from '../http.js';
import type { Deployment } from './deployment.js';
import { incoming } from './incoming.js';
import { respond } from './respond.js';

/**
 * Keeps from Hapi what it cannot take. Its router fails on a target that is no path, and the process with it; such a one gets the
 * challenge in the end, as every request does. A request that no server may read further is refused whoever asks.
 */
export function turnAwayUnreadable({ parts, bases }: Deployment): Lifecycle.Method {
  return (request, h) => {
    const { req, res } = request.raw;
    if (isUnreadable(req)) {
      const asked = incoming(request, bases);
      res.shouldKeepAlive = false;
      return respond(request, parts.answers.error(httpStatus.badRequest, asked.base, parts), asked, parts).takeover();
    }
    if (!request.path.startsWith('/')) throw badRequest();
    return h.continue;
  };
}

/** No Host or several (RFC 9112, section 3.2), or a body in a transfer coding other than chunked (section 6.3). */
function isUnreadable({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  if (httpVersion !== '1.1' || rawHeaders === undefined) return false; // an injected request has no lines, and a Host always
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts !== 1;
}
