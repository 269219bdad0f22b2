import { createServer } from 'node:http';
import { listening } from '../../../spec/test/listening.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server that remembers every request, gives a token to whoever presents a nonce, and a new nonce to everybody else. */
export async function recordingServer() {
  const seen: Seen[] = [];
  const issued = 'ffff0000ffff0000ffff0000ffff0000';
  /** The values of a header of one request, by its name in small letters. */
  const sent = (index: number, name: string) => {
    const { rawHeaders } = seen[index] as Seen;
    return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const { method = '', url = '', rawHeaders } = request;
        seen.push({ method, url, rawHeaders, body: Buffer.concat(parts).toString('latin1') });
        const challenged = seen.filter((_, index) => sent(index, 'x-authentication').length === 0);
        if (challenged.at(-1) !== seen.at(-1)) response.setHeader('X-Authorization', issued);
        else response.setHeader('x-AUTHENTICATION', `fresh-nonce-${challenged.length}`);
        response.end('X-Authorization: from the body\n');
      });
  });
  const { url, close } = await listening(server);
  return { seen, issued, sent, baseUrl: new URL(`${url}/api`), close };
}
