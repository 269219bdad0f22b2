import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Lets a server listen on a free port of loopback; to close it ends its connections, too. */
export async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** A port at which nobody listens, now. */
export async function freePort(): Promise<number> {
  await using server = await listening(createServer());
  return server.port;
}

/** Opens so many silent connections from one address, one after the other, and gives how many octets came to the first that is closed. */
export async function crowded(url: string, many: number): Promise<number> {
  const sockets: Socket[] = [];
  const closed: Promise<number>[] = [];
  while (sockets.length < many) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket.on('error', () => {}).resume());
    closed.push(new Promise((resolve) => socket.on('close', () => resolve(socket.bytesRead))));
    await once(socket, 'connect');
  }
  return Promise.race(closed).finally(() => sockets.forEach((socket) => void socket.destroy()));
}
