import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server that remembers every request, gives a token to whoever presents a nonce, and a new nonce to everybody else. */
export function recordingServer() {
  const seen: Seen[] = [];
  const issued = 'ffff0000ffff0000ffff0000ffff0000';
  let challenges = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const { method = '', url = '', rawHeaders } = request;
        seen.push({ method, url, rawHeaders, body: Buffer.concat(parts).toString('latin1') });
        if (request.headers['x-authentication'] !== undefined) response.setHeader('X-Authorization', issued);
        else response.setHeader('x-AUTHENTICATION', `fresh-nonce-${++challenges}`);
        response.end('X-Authorization: from the body\n');
      });
  });
  return {
    seen,
    issued,
    /** The values of a header of one request, by its name in small letters. */
    sent(index: number, name: string): string[] {
      const { rawHeaders } = seen[index] as Seen;
      return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
    },
    baseUrl: () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`),
    start: () => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)),
    reset() {
      seen.splice(0);
      challenges = 0;
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
