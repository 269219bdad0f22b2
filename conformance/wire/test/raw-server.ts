import { createServer, type Socket } from 'node:net';
import { listening } from '../../../spec/test/listening.js';
import { type Client, type ClientOptions, createClient, type RequestPlan, type Time } from '../index.js';

export interface RawServer {
  readonly url: URL;
  /** The head of every request, as its octets came, one character an octet. */
  readonly requests: string[];
  readonly connections: number;
  close(): Promise<void>;
}

type Behaviour = (socket: Socket, request: string, count: number) => void;

/** A server on a bare socket: it does whatever the test says for every request that it gets. */
export async function startRawServer(behave: Behaviour, onConnection?: (socket: Socket) => void): Promise<RawServer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections += 1;
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    onConnection?.(socket);
    let pending = '';
    socket.on('data', (octets) => {
      pending += octets.toString('latin1');
      for (let end = whole(pending); end !== undefined; end = whole(pending)) {
        const request = pending.slice(0, end);
        pending = pending.slice(end);
        requests.push(request);
        behave(socket, request, requests.length);
      }
    });
  });
  const { url, close } = await listening(server);
  return {
    url: new URL(`${url}/api`),
    requests,
    get connections() {
      return connections;
    },
    close,
  };
}

function whole(pending: string): number | undefined {
  const head = pending.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(pending.slice(0, head + 2))?.[1] ?? 0);
  return pending.length >= head + 4 + length ? head + 4 + length : undefined;
}

export const plainAnswer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** Runs a test against a server of its own and a client for it, and ends both. */
export async function withTarget<T>(
  behave: Behaviour | string,
  test: (client: Client, server: RawServer) => Promise<T>,
  options: Partial<ClientOptions> & { readonly onConnection?: (socket: Socket) => void } = {},
): Promise<T> {
  const { onConnection, ...rest } = options;
  const answer = typeof behave === 'string' ? (socket: Socket) => void socket.write(behave, 'latin1') : behave;
  const server = await startRawServer(answer, onConnection);
  const client = createClient({ baseUrl: server.url, timeoutMs: 2000, maxConnections: 4, ...rest });
  try {
    return await test(client, server);
  } finally {
    client.close();
    await server.close();
  }
}

export function get(target = '/api/drones', extra: Pick<RequestPlan, 'freshConnection' | 'ahead'> = {}) {
  return { method: 'GET', target, headers: [], ...extra } as const;
}

/** Time that passes only when somebody pauses. */
export function fakeTime(wallMs = Date.UTC(2030, 0, 1)) {
  const pauses: number[] = [];
  let now = 0;
  const time: Time = {
    now: () => now,
    wallNow: () => wallMs + now,
    pause: async (ms) => {
      const end = now + ms;
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
      now = Math.max(now, end);
    },
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { time, pauses, pass };
}
