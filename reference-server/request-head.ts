import type { IncomingMessage } from 'node:http';

/**
 * Whether a server must refuse the request for its form alone, where Node.js lets it pass or refuses it without our headers:
 * no Host or several (RFC 9112, section 3.2), a body in a transfer coding other than chunked (section 6.3).
 */
export function isUnreadable(req: IncomingMessage): boolean {
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  return req.httpVersion === '1.1' && hosts(req.rawHeaders) !== 1;
}

function hosts(rawHeaders: readonly string[] | undefined): number {
  if (rawHeaders === undefined) return 1; // an injected request has no lines, and a Host always
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
