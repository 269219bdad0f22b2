import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What programs need to start and to find their files, on Unix and on Windows. */
const usual = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'LANG', 'LANGUAGE', 'TMPDIR', 'TMP', 'TEMP'],
  ...['PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
]);

/** Tells the processes of one client from all others, also those that left its group. */
const marker = 'HYDRAUTH_RUN';

/** The environment of a client: the usual variables, those that the caller passes on, and what it is told. No secret of the caller is among them. */
export function environmentOf(told: Readonly<Record<string, string>>, passEnv: readonly string[], run: string): NodeJS.ProcessEnv {
  const isPassed = (name: string) => usual.has(name.toUpperCase()) || /^LC_/.test(name) || passEnv.includes(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name))), ...told, [marker]: run };
}

/** Windows has no groups of processes, and opens a window for one that is detached. */
export const hasGroups = process.platform !== 'win32';

/** One that is killed may just have started another. */
const mostRounds = 10;

/** Ends a process group, on Windows a process with those it started, and on Linux whatever else bears the mark of the run. Says whether there was any. */
export function endAll(group: number | undefined, run: string): boolean {
  let ended = group !== undefined && (hasGroups ? kill(-group) : spawnSync('taskkill', ['/pid', `${group}`, '/t', '/f']).status === 0);
  for (let round = 0; round < mostRounds; round += 1) {
    const killed = marked(run).filter(kill);
    if (killed.length === 0) break;
    ended = true;
  }
  return ended;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The processes that were started with the mark. One that has ended has no environment any more, and those of others cannot be read. */
function marked(run: string): number[] {
  if (process.platform !== 'linux') return [];
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${marker}=${run}`);
    } catch {
      return false;
    }
  });
}
