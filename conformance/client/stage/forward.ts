import http from 'node:http';
import https from 'node:https';
import type { Answer, HeaderLine } from '../../wire/index.js';
import type { Received } from '../traffic/index.js';

interface Forwarder {
  /** Passes a request on and gives the answer; 502 where none came. */
  send(received: Received): Promise<Answer>;
  close(): void;
}

/** Of one connection only, or already done with when the body was read. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'expect', 'transfer-encoding', 'content-length']);

/** Passes requests on to the origin of an address, their headers as they came. */
export function forwardTo(target: URL, trust: { readonly ca?: string; readonly insecure?: boolean } = {}): Forwarder {
  const secure = target.protocol === 'https:';
  const { request, Agent } = secure ? https : http;
  const agent = new Agent({
    keepAlive: true,
    ...(secure ? { rejectUnauthorized: trust.insecure !== true, ...(trust.ca === undefined ? {} : { ca: trust.ca }) } : {}),
  });
  const send = ({ method, target: path, headers, body }: Received) =>
    new Promise<Answer>((resolve) => {
      const kept = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
      const isFramed = headers.some(([name]) => ['content-length', 'transfer-encoding'].includes(name.toLowerCase()));
      const framed: HeaderLine[] = isFramed ? [...kept, [lengthName, String(body.length)]] : kept;
      const { hostname, port } = target;
      const host = hostname.replace(/^\[|\]$/g, '');
      const asking = request({ host, port, method, path, agent, headers: framed.flat() as string[] } as https.RequestOptions, (came) => {
        const chunks: Buffer[] = [];
        came.on('data', (chunk: Buffer) => chunks.push(chunk));
        came.on('error', (error) => resolve(noAnswer(error)));
        came.on('end', () => {
          const lines: HeaderLine[] = [];
          for (let index = 0; index + 1 < came.rawHeaders.length; index += 2)
            lines.push([came.rawHeaders[index] as string, came.rawHeaders[index + 1] as string]);
          resolve({
            status: came.statusCode ?? 0,
            reason: came.statusMessage ?? '',
            httpVersion: came.httpVersion,
            headers: lines.filter(([name]) => name.toLowerCase() !== 'transfer-encoding'),
            body: Buffer.concat(chunks),
          });
        });
      });
      asking.on('error', (error) => resolve(noAnswer(error)));
      asking.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/** That of a request; requests are framed anew. */
const lengthName = 'Content-Length';

function noAnswer(error: Error): Answer {
  const body = Buffer.from(`The service gave no answer: ${error.message}\n`);
  return { status: 502, reason: 'Bad Gateway', httpVersion: '1.1', headers: [['Content-Type', 'text/plain']], body };
}
