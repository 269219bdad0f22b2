import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { env, kill, platform } from 'node:process';
import { ClockError, type ClockOptions, type TargetClock, usual } from './clock.js';

const defaultTimeoutMs = 30_000;
const shownErrorCharacters = 500;

/**
 * A command of the user's own that moves the clock. It is a shell's line, so that quotes and variables work as in a terminal; the
 * milliseconds are handed over as an argument and never become part of the line.
 */
export function execClock(command: string, { timeoutMs = defaultTimeoutMs, signal }: ClockOptions): TargetClock {
  const advance = async (ms: number) => {
    if (signal?.aborted) throw new ClockError("The clock's command was interrupted.");
    const child = spawn(...shellLine(command, ms), {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that what the shell started ends with it. Windows has none, and would open a window.
      detached: !isWindows,
      windowsVerbatimArguments: true,
      // The users of the target are none of its business.
      env: { ...env, HYDRAUTH_USERS: undefined },
    });
    const late = AbortSignal.timeout(timeoutMs);
    const stop = () => killGroup(child.pid);
    const stopping = [late, signal ?? []].flat();
    for (const each of stopping) each.addEventListener('abort', stop);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, shownErrorCharacters);
    });
    const ended = await once(child, 'close').then(
      ([code, killer]: (number | string | null)[]) =>
        code === 0 ? undefined : code === null ? `was ended by ${killer}` : `ended with exit code ${code}`,
      ({ code }: NodeJS.ErrnoException) => `could not be started (${code})`,
    );
    for (const each of stopping) each.removeEventListener('abort', stop);
    const problem = late.aborted ? `did not end within ${timeoutMs} ms` : signal?.aborted ? 'was interrupted' : ended;
    if (problem !== undefined)
      throw new ClockError(`The clock's command ${problem}.${said.trim() === '' ? '' : ` It said: ${said.trim()}`}`);
  };
  return { ...usual, seesItsMoves: false, description: 'a command', advance };
}

const isWindows = platform === 'win32';

function shellLine(command: string, ms: number): [string, string[]] {
  if (isWindows) return [env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${command} ${ms}"`]];
  return ['sh', ['-c', `${command} "$@"`, 'hydrauth', String(ms)]];
}

function killGroup(pid: number | undefined): void {
  try {
    if (isWindows) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
