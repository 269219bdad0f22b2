import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, that shares no code with the reference server. */
export interface IndependentServer {
  readonly url: string;
  stop(): Promise<void>;
}

const file = fileURLToPath(new URL('servers/server.py', import.meta.url));

export const python = {
  users: ['1:correct horse', '20:a:b:c', '300:pässwörd ☃'],
  collections: ['things'],
  start: (mistake = 'none', env: Record<string, string> = {}) => startServer('python3', [file, mistake], env),
};

async function startServer(command: string, args: string[], env: Record<string, string>): Promise<IndependentServer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  const url = await Promise.race([
    firstLine(child),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${command} ended with ${code}`))),
  ]);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return chunk.toString().trim();
}
