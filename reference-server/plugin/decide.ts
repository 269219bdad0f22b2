import type { IncomingMessage } from 'node:http';
import { httpStatus } from '../http.js';
import type { Answer, Incoming, MaybePromise } from '../parts/index.js';
import type { Deployment } from './deployment.js';

/** What the request is answered in place of a resource; undefined: it may have one. What no server may read further is refused, whoever asks. */
export function decide(asked: Incoming, { parts }: Deployment): MaybePromise<Answer | undefined> {
  if (!isUnreadable(asked.raw.req)) return parts.guard.decide(asked, parts);
  asked.raw.res.shouldKeepAlive = false;
  return parts.answers.error(httpStatus.badRequest, asked.base, parts);
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
