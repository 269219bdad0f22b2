import { call, noVerdict } from './call.js';
import { createIo, Interrupted } from './io.js';

const { stdout, stderr, stdin, env, argv } = process;
const interruption = new AbortController();

for (const by of ['SIGINT', 'SIGTERM'] as const) {
  process.on(by, () => {
    const reason = new Interrupted(by);
    // A second signal is from somebody who does not want to wait for a clean end.
    if (interruption.signal.aborted) process.exit(reason.exitCode);
    interruption.abort(reason);
  });
}

let unwritable = false;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that went away (`| head`) is no failure, and a run goes on to its exit code.
  if (error.code === 'EPIPE' || unwritable) return;
  unwritable = true;
  stderr.write(`hydrauth: standard output cannot be written: ${error.message}\n`);
});
stderr.on('error', () => {});

process.on('uncaughtException', (error) => {
  // Node would end with 1, which says that a MUST is violated.
  stderr.write(`hydrauth: ${error.stack ?? error.message}\n`, () => process.exit(noVerdict));
});

const io = createIo({ stdout, stderr, stdin, env, cwd: process.cwd(), signal: interruption.signal });
if (io.self === 'npx hydrauth') await whenParentEnds(() => interruption.abort(new Interrupted('SIGTERM')));
const code = await call(argv.slice(2), io);
const flushed = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));
await Promise.all([flushed(stdout), flushed(stderr)]);
process.exit(unwritable && code === 0 ? noVerdict : code);

/**
 * Calls back when the process that started this one is gone, or the one before it: npx starts a command through a shell, and ends
 * neither when it is ended itself.
 */
async function whenParentEnds(ended: () => void): Promise<void> {
  const parent = process.ppid;
  const { execFile } = await import('node:child_process');
  let grandparent: number | undefined;
  execFile('ps', ['-o', 'ppid=', '-p', String(parent)], (_, text) => {
    grandparent = Number(text.trim()) || undefined;
  });
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  };
  const timer = setInterval(() => {
    if (process.ppid === parent && (grandparent === undefined || isAlive(grandparent))) return;
    clearInterval(timer);
    ended();
  }, 500).unref();
}
