import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('servers/server.py', import.meta.url));

/** A server in a process of its own, that shares no code with the reference server. */
export const python = {
  users: ['1:correct horse', '20:a:b:c', '300:pässwörd ☃'],
  collections: ['things'],
  async start(mistake = 'none', env: Record<string, string> = {}) {
    const child = spawn('python3', [file, mistake], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    const ended = once(child, 'exit');
    const url = await Promise.race([
      once(child.stdout, 'data').then(([line]) => String(line).trim()),
      ended.then(([code]) => Promise.reject(new Error(`python3 ended with ${code}`))),
    ]);
    const stop = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return { url, stop };
  },
};
