import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

/** The address of a Redis server of its own, which keeps nothing and ends with this process; undefined when the program is not installed. */
export async function startRedis(): Promise<string | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.on('exit', () => child.kill());
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
  });
  return `redis://127.0.0.1:${port}`;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
