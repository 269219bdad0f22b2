import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pours a body that never ends, in gulps or in drops. */
export function pour(response: ServerResponse, everyMs: number): void {
  response.writeHead(401, { 'Content-Type': 'application/ld+json' });
  const chunk = Buffer.alloc(everyMs === 0 ? 65_536 : 1, ' ');
  const next = () => {
    if (response.destroyed) return;
    if (everyMs > 0) setTimeout(() => response.write(chunk) && next(), everyMs);
    else if (response.write(chunk)) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

export async function listening(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
