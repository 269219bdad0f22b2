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
  return counted(req, res, limitOctets, limitOctets * patience, () => {});
}

/** The body as text; undefined when it is larger than allowed. No more than the limit is ever kept, and the connection ends with the answer. */
export async function readBody(req: IncomingMessage, res: ServerResponse, limitOctets: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  const isTooLarge = await counted(req, res, limitOctets, limitOctets, (chunk) => chunks.push(chunk));
  return isTooLarge ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Says whether the body is larger than allowed, as soon as it has ended or gone on for too long. */
function counted(
  req: IncomingMessage,
  res: ServerResponse,
  limitOctets: number,
  longestOctets: number,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    let octets = 0;
    req.on('data', (chunk: Buffer) => {
      octets += chunk.length;
      if (octets <= longestOctets) return take(chunk);
      res.shouldKeepAlive = false;
      resolve(true);
    });
    req.once('end', () => resolve(octets > limitOctets));
    req.once('close', () => resolve(false));
  });
}
