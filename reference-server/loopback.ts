import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
