import { spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';

interface Redis {
  readonly url: string;
  stop(): void;
}

/** A Redis server of its own, which keeps nothing; undefined when the program is not installed. */
export async function startRedis(): Promise<Redis | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  process.on('exit', () => child.kill());
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  return { url: `redis://127.0.0.1:${port}`, stop: () => void child.kill() };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
