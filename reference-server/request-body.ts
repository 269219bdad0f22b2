import type { IncomingMessage, ServerResponse } from 'node:http';

/** So many times the limit is read and thrown away, so that an honest client gets to read its 413 before the connection ends. */
const patience = 16;

/** Whether the request says that its body is larger than allowed. */
export function isTooLarge(req: IncomingMessage, limitOctets: number): boolean {
  const declared = req.headers['content-length'];
  return declared !== undefined && Number(declared) > limitOctets;
}

/** No answer depends on a body: it is read, counted and thrown away, and a client that goes on for too long is cut off. */
export function discardBody(req: IncomingMessage, res: ServerResponse, limitOctets: number): void {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined) return;
  // Nobody can know whether the body still comes when the answer to "Expect" is a final one (RFC 9110, section 10.1.1).
  if (req.headers.expect !== undefined) res.shouldKeepAlive = false;
  let octets = 0;
  req.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets > limitOctets * patience) req.destroy();
  });
}
