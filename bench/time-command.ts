import { spawn } from 'node:child_process';
import { root } from './build.js';

/** Runs a command from start to end and gives the seconds it took. It must end with 0, as a user would want. */
export function timeCommand(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now();
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    const keep = (chunk: Buffer) => {
      told = (told + chunk.toString('utf8')).slice(-2000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve((performance.now() - startMs) / 1000);
      else reject(new Error(`${words.slice(0, 3).join(' ')} ended with ${code}:\n${told}`));
    });
  });
}
