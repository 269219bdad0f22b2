import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { get, plainAnswer, withTarget } from './raw-server.js';

test('keeps connections open up to the limit and counts requests', async () => {
  let open = 0;
  let most = 0;
  const slow = (socket: Socket) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      socket.write(plainAnswer);
    });
  };
  await withTarget(
    slow,
    async (client, server) => {
      const exchanges = await Promise.all(
        Array.from({ length: 40 }, (_, index) => client.send(get('/', { freshConnection: index % 8 === 0 }))),
      );
      expect(exchanges.every(({ answer, problem }) => answer?.status === 200 && problem === undefined)).toBe(true);
      expect(most).toBeLessThanOrEqual(3);
      expect(client.requests).toBe(40);
      expect(server.connections).toBeLessThan(20);
    },
    { maxConnections: 3 },
  );
});

test('sends a request again when the kept connection had been closed before any answer', async () => {
  await withTarget(
    (socket, _, count) => (count === 2 ? socket.destroy() : socket.write(plainAnswer)),
    async (client, server) => {
      expect((await client.send(get())).problem).toBeUndefined();
      const second = await client.send(get());
      expect(second.problem).toBeUndefined();
      expect(second.answer?.status).toBe(200);
      expect([client.requests, server.connections]).toEqual([3, 2]);
    },
  );
});

test('does not send a request again on a connection that was new, or after half an answer', async () => {
  await withTarget(
    (socket) => socket.destroy(),
    async (client) => {
      expect((await client.send(get())).problem?.code).toBe('closed');
      expect(client.requests).toBe(1);
    },
  );
  await withTarget(
    (socket, _, count) => (count === 1 ? socket.write(plainAnswer) : socket.end('HTTP/1.1 200')),
    async (client) => {
      await client.send(get());
      expect((await client.send(get())).problem?.code).toBe('closed');
      expect(client.requests).toBe(2);
    },
  );
});

test('writes two requests at once and reads both answers, however they are cut', async () => {
  const two = `${plainAnswer}HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nabc`;
  for (const cut of [0, 10, plainAnswer.length, plainAnswer.length + 9]) {
    await withTarget(
      (socket, _, count) => {
        if (count !== 2) return;
        socket.write(two.slice(0, cut));
        setImmediate(() => socket.end(two.slice(cut)));
      },
      async (client, server) => {
        const exchange = await client.send(get('/b', { ahead: get('/a'), freshConnection: true }));
        expect([exchange.answer?.status, exchange.answer?.body.toString(), exchange.problem]).toEqual([404, 'abc', undefined]);
        expect([exchange.ahead?.request.target, exchange.ahead?.answer?.status]).toEqual(['/a', 200]);
        expect([server.connections, client.requests]).toEqual([1, 2]);
      },
    );
  }
});

test('sends the second request on another connection where the target closes after the first', async () => {
  await withTarget(
    (socket) => socket.end(plainAnswer),
    async (client) => {
      const exchange = await client.send({ ...get('/b', { ahead: get('/a') }), awaitsAhead: true });
      expect([exchange.answer?.status, exchange.ahead?.answer?.status]).toEqual([200, 200]);
    },
  );
});

test('sends no second request when it was ended at the first', async () => {
  const controller = new AbortController();
  let came = 0;
  await withTarget(
    () => {
      came += 1;
      controller.abort('It is over.');
    },
    async (client) => {
      const { problem } = await client.send({ ...get('/b', { ahead: get('/a') }), awaitsAhead: true });
      expect([problem, came]).toEqual([{ code: 'aborted', message: 'It is over.' }, 1]);
    },
    { signal: controller.signal },
  );
});

test('says that a body came behind the answer to HEAD', async () => {
  await withTarget(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    async (client) => {
      const { problem } = await client.send({ ...get('/a'), method: 'HEAD' });
      expect(problem).toEqual({ code: 'length', message: 'A body came behind the answer to HEAD: 2 octets.' });
    },
  );
});

test('ends what is under way when the run is interrupted', async () => {
  const controller = new AbortController();
  await withTarget(
    (_, __, count) => count === 2 && controller.abort(),
    async (client) => {
      const started = await Promise.all([client.send(get()), client.send(get()), client.send(get()), client.send(get())]);
      expect(started.map(({ problem }) => problem?.code)).toEqual(['aborted', 'aborted', 'aborted', 'aborted']);
      expect((await client.send(get())).problem?.code).toBe('aborted');
    },
    { signal: controller.signal, maxConnections: 2 },
  );
});

test.each([
  ['came', (send: () => void) => send()],
  ['could not be sent', (send: () => void) => void setTimeout(send, 20)],
])('an answer that %s while this process was busy is no delay of the target', async (_, then) => {
  const busyAfterwards = (socket: Socket) => {
    socket.write(plainAnswer.slice(0, -1));
    const until = performance.now() + 300;
    while (performance.now() < until);
    then(() => socket.write(plainAnswer.slice(-1)));
  };
  const exchange = await withTarget(busyAfterwards, (client) => client.send(get()), { timeoutMs: 100 });
  expect([exchange.problem, exchange.answer?.status]).toEqual([undefined, 200]);
});

test('a connection that carried a body is used no more, because plain servers leave it there', async () => {
  await withTarget(
    (socket) => socket.write(plainAnswer),
    async (client, server) => {
      await client.send({ ...get(), method: 'POST', body: '{}' });
      expect((await client.send(get())).answer?.status).toBe(200);
      await client.send(get());
      expect(server.connections).toBe(2);
    },
  );
});

test('a 400 that closes a kept connection is asked again on a new one, and counted; one on a new connection is the answer', async () => {
  const bad = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
  const seen = new Map<Socket, number>();
  const losesCount = (socket: Socket) => {
    seen.set(socket, (seen.get(socket) ?? 0) + 1);
    if (seen.get(socket) === 1) socket.write(plainAnswer);
    else socket.end(bad);
  };
  await withTarget(losesCount, async (client) => {
    const statuses = [await client.send(get()), await client.send(get())].map(({ answer }) => answer?.status);
    expect([statuses, client.unread, client.requests]).toEqual([[200, 200], 1, 3]);
  });
  await withTarget(
    (socket) => void socket.end(bad),
    async (client) => {
      expect([(await client.send(get())).answer?.status, client.unread, client.requests]).toEqual([400, 0, 1]);
    },
  );
});

test('an exchange says which connection it used, and what was asked on it before', async () => {
  await withTarget(plainAnswer, async (client) => {
    const plans = ['/a', '/b', '/c', '/d', '/e'].map((target) => ({ method: 'GET', target, headers: [] }));
    const used = [];
    for (const plan of plans) used.push((await client.send(plan)).connection);
    expect(used[0]).toEqual({ number: 1, earlier: 0, latest: [] });
    expect(used[4]).toEqual({ number: 1, earlier: 4, latest: plans.slice(1, 4) });
    const fresh = await client.send({ method: 'GET', target: '/f', headers: [], freshConnection: true });
    expect(fresh.connection).toEqual({ number: 2, earlier: 0, latest: [] });
    const [ahead] = plans;
    const behind = await client.send({ method: 'GET', target: '/g', headers: [], ...(ahead === undefined ? {} : { ahead }) });
    expect([behind.ahead?.connection?.earlier, behind.connection?.latest]).toEqual([0, [ahead]]);
  });
});

/** A target that attends to three connections, and to another one when one of them is closed. */
function threeAtATime() {
  const attended = new Set<Socket>();
  const queue: Socket[] = [];
  const serve = (socket: Socket) => void setImmediate(() => socket.write(plainAnswer));
  const attend = () => {
    const next = attended.size < 3 ? queue.shift() : undefined;
    if (next === undefined) return;
    attended.add(next);
    next.once('close', () => {
      attended.delete(next);
      attend();
    });
    serve(next);
  };
  return (socket: Socket) => {
    if (attended.has(socket)) return serve(socket);
    queue.push(socket);
    attend();
  };
}

test('a target that leaves a fourth connection waiting is given three, and every request is answered', async () => {
  await withTarget(
    threeAtATime(),
    async (client) => {
      const exchanges = await Promise.all(Array.from({ length: 60 }, () => client.send(get())));
      expect(exchanges.filter(({ problem }) => problem !== undefined)).toEqual([]);
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
