import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** So much of what a client prints is looked at. */
const keptOctets = 1024 * 1024;
/** A client that prints more is ended. */
const mostOctets = 16 * keptOctets;
/** So much of the end of its complaints is kept to be told. */
const complaintOctets = 4096;
/** How long a process that has ended may hold its output open. */
const drainMs = 250;

interface Ended {
  readonly code: number | null;
  /** How it ended, and the last lines that it wrote to its standard error. */
  readonly how: string;
  /** Why it was ended, or could not be started, as a sentence. */
  readonly trouble: string | undefined;
  readonly leftOthers: boolean;
}

export type Running = ReturnType<typeof start>;

/** Starts a command without a shell, as the leader of a process group of its own. It is ended with all that it started. */
export function start(
  [program = '', ...words]: readonly string[],
  { told, passEnv }: { readonly told: Readonly<Record<string, string>>; readonly passEnv: readonly string[] },
  onLine?: (line: string) => void,
) {
  const run = randomUUID();
  const child = spawn(program, words, { env: environmentOf(told, passEnv, run), detached: hasGroups, stdio: ['pipe', 'pipe', 'pipe'] });
  let chunks: Buffer[] = [];
  let [kept, octets] = [0, 0];
  let trouble: string | undefined;
  const end = (because: string) => {
    trouble ??= because;
    endAll(child.pid, run);
  };
  const take = (chunk: Buffer) => {
    if (kept < keptOctets) chunks.push(chunk.subarray(0, keptOctets - kept));
    kept += chunk.length;
    octets += chunk.length;
    if (octets > mostOctets) end(`It printed more than ${mostOctets / keptOctets} MB and was ended.`);
  };
  child.stdin.on('error', () => {});
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  let complaint = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = Buffer.concat([complaint, chunk]).subarray(-complaintOctets);
  });
  if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine);
  const takeOutput = () => {
    const text = Buffer.concat(chunks).toString('utf8');
    [chunks, kept] = [[], 0];
    return text;
  };
  const ended = new Promise<Ended>((resolve) => {
    const finish = (code: number | null, leftOthers: boolean) => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ code, how: endingWords(code, complaint.toString('utf8')), trouble, leftOthers });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      trouble ??= `The command ${JSON.stringify(program)} could not be started (${error.code ?? error.message}).`;
      if (child.pid === undefined) finish(null, false);
    });
    child.on('exit', (code) => {
      const leftOthers = endAll(child.pid, run);
      // Something that could not be ended may hold the output open for ever.
      const drain = setTimeout(() => finish(code, leftOthers), drainMs);
      child.on('close', () => {
        clearTimeout(drain);
        finish(code, leftOthers);
      });
    });
  });
  return {
    ended,
    /** Ends it with all that it started. */
    end,
    /** What it has printed since the last time, on either stream. */
    takeOutput,
    write: (text: string) => void child.stdin.write(text),
    closeInput: () => void child.stdin.end(),
  };
}

const shownLines = 5;
const shownCharacters = 500;

function endingWords(code: number | null, complaint: string): string {
  const lines = complaint.match(/\S.*\S|\S/g) ?? [];
  const last = lines.slice(-shownLines).join('; ').slice(-shownCharacters);
  const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
  return `It ${how}${last === '' ? ', and wrote nothing to its standard error.' : `; the last it wrote to its standard error: "${last}".`}`;
}

const usual = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'LANG', 'LANGUAGE', 'TMPDIR', 'TMP', 'TEMP'],
  ...['PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
]);

/** Tells the processes of one client from all others, also those that left its group. */
const marker = 'HYDRAUTH_RUN';

/** The environment of a client: the usual variables, those that the caller passes on, and what it is told. No secret of the caller is among them. */
function environmentOf(told: Readonly<Record<string, string>>, passEnv: readonly string[], run: string): NodeJS.ProcessEnv {
  const isPassed = (name: string) => usual.has(name.toUpperCase()) || /^LC_/.test(name) || passEnv.includes(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name))), ...told, [marker]: run };
}

/** Windows has no groups of processes, and opens a window for one that is detached. */
const hasGroups = process.platform !== 'win32';

/** One that is killed may just have started another. */
const mostRounds = 10;

/** Ends a process group, on Windows a process with those it started, and on Linux whatever else bears the mark of the run. Says whether there was any. */
function endAll(group: number | undefined, run: string): boolean {
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
