import { expect, test } from 'vitest';
import { get, plainAnswer, withTarget } from './raw-server.js';

/** A target that attends to three connections, and to another one when one of them is closed. */
function threeAtATime() {
  const attended = new Set<unknown>();
  const queue: { readonly socket: { once(event: 'close', listener: () => void): unknown }; readonly serve: () => void }[] = [];
  const attend = () => {
    while (attended.size < 3 && queue.length > 0) {
      const { socket, serve } = queue.shift() as (typeof queue)[number];
      attended.add(socket);
      socket.once('close', () => {
        attended.delete(socket);
        attend();
      });
      serve();
    }
  };
  return (socket: (typeof queue)[number]['socket'] & { write(text: string): unknown }) => {
    const serve = () => setImmediate(() => socket.write(plainAnswer));
    if (attended.has(socket)) serve();
    else {
      queue.push({ socket, serve });
      attend();
    }
  };
}

test('a target that leaves a fourth connection waiting is given three, and every request is answered', async () => {
  await withTarget(
    threeAtATime(),
    async (client) => {
      const exchanges = await Promise.all(Array.from({ length: 60 }, () => client.send(get())));
      expect(exchanges.map(({ problem }) => problem)).toEqual(exchanges.map(() => undefined));
      expect(client.served).toBe(3);
    },
    { maxConnections: 16, lateMs: 20 },
  );
});

test('what is urgent goes before others that wait for a connection', async () => {
  await withTarget(
    (socket) => socket.write(plainAnswer),
    async (client, server) => {
      await Promise.all(['/a', '/b', '/c', '/now'].map((target) => client.send(get(target))));
      expect(server.requests.map((request) => request.split(' ')[1])).toEqual(['/a', '/now', '/b', '/c']);
    },
    { maxConnections: 1, isUrgent: ({ target }) => target === '/now' },
  );
});
