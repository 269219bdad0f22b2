import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

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
