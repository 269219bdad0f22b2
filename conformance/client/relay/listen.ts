import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitAddresses } from '../../../reference-server/index.js';

export interface Listener {
  readonly origin: string;
  close(): Promise<void>;
}

/** Lets a server listen; port 0 is any that is free. */
export async function listenAt(server: Server, host = '127.0.0.1', port = 0): Promise<Listener> {
  limitAddresses(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    origin: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
