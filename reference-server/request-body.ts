import type { IncomingMessage, ServerResponse } from 'node:http';

/** So many times the limit is read and thrown away, so that an honest client gets to read its 413 before the connection ends. */
const patience = 16;

export function hasBody(req: IncomingMessage): boolean {
  return req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the body to its end and throws it away, for no answer depends on it; says whether it was larger than allowed. A client that
 * goes on for too long is not waited for, and its connection ends with the answer.
 */
export function discardBody(req: IncomingMessage, res: ServerResponse, limitOctets: number): Promise<boolean> {
  if (req.headers.expect !== undefined) {
    // Nobody can know whether the body still comes when the answer to an expectation is a final one (RFC 9110, section 10.1.1).
    res.shouldKeepAlive = false;
    return Promise.resolve(Number(req.headers['content-length']) > limitOctets);
  }
  return new Promise((resolve) => {
    let octets = 0;
    req.on('data', (chunk: Buffer) => {
      octets += chunk.length;
      if (octets <= limitOctets * patience) return;
      res.shouldKeepAlive = false;
      resolve(true);
    });
    req.once('end', () => resolve(octets > limitOctets));
    req.once('close', () => resolve(false));
  });
}
