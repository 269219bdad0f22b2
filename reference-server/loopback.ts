import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitAddresses } from './listener.js';

/** A listener for tests and their tools, on loopback and on a free port. */
interface Loopback {
  readonly port: number;
  close(): Promise<void>;
}

const timeoutMs = 5000;
/** Node looks every 30 seconds by itself, and keeps a silent connection for as long. */
const checkEveryMs = 1000;

export async function listenOnLoopback(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<Loopback> {
  const timeouts = { requestTimeout: timeoutMs, headersTimeout: timeoutMs, connectionsCheckingInterval: checkEveryMs };
  const listener = createServer(timeouts, handle);
  limitAddresses(listener);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}

/** What is wrong with the Host of a request to such a listener. A page reaches loopback by a name of its own, too (DNS rebinding). */
export function wrongHost({ headers, socket }: IncomingMessage): string | undefined {
  const own = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  if (own.includes(headers.host?.toLowerCase() ?? '')) return undefined;
  return `this Host is not allowed; ${own.map((host) => `http://${host}`).join(' and ')} are`;
}

/** What is wrong when a page of another origin asks. */
export function wrongOrigin({ headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): string | undefined {
  const own = `http://${host?.toLowerCase()}`;
  if (origin !== undefined && origin !== own) return `this Origin is not allowed; none is, and ${own}`;
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  return `a page of another origin is not allowed; one of ${own} is`;
}
