import { spawn, spawnSync } from 'node:child_process';
import { kill, env as ownEnvironment, platform } from 'node:process';
import { ClockError, type ClockOptions, checkAdvance, type TargetClock } from './clock.js';

const defaultTimeoutMs = 30_000;
const shownErrorCharacters = 500;

/**
 * A command of the user's own that moves the clock. It is a shell's line, so that quotes and variables work as in a terminal; the
 * milliseconds are handed over as an argument and never become part of the line.
 */
export function execClock(command: string, { timeoutMs = defaultTimeoutMs, env, signal }: ClockOptions): TargetClock {
  const run = (ms: number) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(...shellLine(command, ms), {
        stdio: ['ignore', 'ignore', 'pipe'],
        // A group of its own, so that what the shell started ends with it. Windows has none, and would open a window.
        detached: !isWindows,
        windowsVerbatimArguments: true,
        // The users of the target are none of its business.
        env: { ...(env ?? ownEnvironment), HYDRAUTH_USERS: undefined },
      });
      let complaint = '';
      let end: string | undefined;
      const stop = (why: string) => {
        end = why;
        if (child.pid !== undefined) killGroup(child.pid);
      };
      const interrupted = () => stop('was interrupted');
      const timer = setTimeout(() => stop(`did not end within ${timeoutMs} ms`), timeoutMs);
      signal?.addEventListener('abort', interrupted);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (complaint.length < shownErrorCharacters) complaint = (complaint + text).slice(0, shownErrorCharacters);
      });
      const finish = (problem: string | undefined) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', interrupted);
        if (problem === undefined) resolve();
        else reject(new ClockError(`The clock's command ${problem}.${complaint.trim() === '' ? '' : ` It said: ${complaint.trim()}`}`));
      };
      child.on('error', (error) => finish(`could not be started (${(error as NodeJS.ErrnoException).code})`));
      child.on('close', (code, killer) => {
        if (end !== undefined) finish(end);
        else finish(code === 0 ? undefined : code === null ? `was ended by ${killer}` : `ended with exit code ${code}`);
      });
    });
  return {
    canMove: true,
    isInstant: true,
    seesItsMoves: false,
    description: 'a command',
    async advance(ms) {
      checkAdvance(ms);
      if (signal?.aborted === true) throw new ClockError("The clock's command was interrupted.");
      await run(ms);
    },
    now: async () => undefined,
    close: async () => undefined,
  };
}

const isWindows = platform === 'win32';

function shellLine(command: string, ms: number): [string, string[]] {
  if (isWindows) return [ownEnvironment['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${command} ${ms}"`]];
  return ['sh', ['-c', `${command} "$@"`, 'hydrauth', String(ms)]];
}

function killGroup(pid: number): void {
  try {
    if (isWindows) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
