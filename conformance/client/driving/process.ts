import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { endAll, environmentOf, hasGroups } from './processes.js';

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
  readonly output: string;
  /** The end of what it wrote to its standard error. */
  readonly complaint: string;
  /** Why it was ended, or could not be started, as a sentence. */
  readonly trouble?: string;
  /** It left other processes behind, which were ended. */
  readonly leftOthers: boolean;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** What it has printed since the last time, on either stream. */
  takeOutput(): string;
  write(text: string): void;
  /** Ends it with all that it started. */
  end(because: string): void;
  /** Closes its standard input. */
  closeInput(): void;
}

/** Starts a command without a shell, as the leader of a process group of its own. It is ended with all that it started. */
export function start(
  [program = '', ...words]: readonly string[],
  { told, passEnv }: { readonly told: Readonly<Record<string, string>>; readonly passEnv: readonly string[] },
  onLine?: (line: string) => void,
): Running {
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
  if (onLine !== undefined) byLine(child, onLine);
  const takeOutput = () => {
    const text = Buffer.concat(chunks).toString('utf8');
    [chunks, kept] = [[], 0];
    return text;
  };
  const ended = new Promise<Ended>((resolve) => {
    let done = false;
    let drain: NodeJS.Timeout | undefined;
    const finish = (code: number | null, leftOthers: boolean) => {
      if (done) return;
      done = true;
      clearTimeout(drain);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({
        code,
        output: takeOutput(),
        complaint: complaint.toString('utf8'),
        leftOthers,
        ...(trouble === undefined ? {} : { trouble }),
      });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      trouble ??= `The command ${JSON.stringify(program)} could not be started (${error.code ?? error.message}).`;
      if (child.pid === undefined) finish(null, false);
    });
    child.on('exit', (code) => {
      const leftOthers = endAll(child.pid, run);
      child.on('close', () => finish(code, leftOthers));
      // Something that could not be ended may hold the output open for ever.
      drain = setTimeout(() => finish(code, leftOthers), drainMs);
    });
  });
  return { ended, end, takeOutput, write: (text) => void child.stdin.write(text), closeInput: () => child.stdin.end() };
}

/** A line longer than all that is looked at is no answer of a driver. */
function byLine({ stdout }: ChildProcess, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = (lines.pop() ?? '').slice(-keptOctets);
    for (const line of lines) onLine(line);
  });
}

const shownLines = 5;
const shownCharacters = 500;

/** How a process ended, and the last lines that it wrote to its standard error. */
export function endingWords({ code, complaint }: Pick<Ended, 'code' | 'complaint'>): string {
  const written = complaint.split('\n').map((line) => line.trim());
  const last = written
    .filter((line) => line !== '')
    .slice(-shownLines)
    .join('; ')
    .slice(-shownCharacters);
  const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
  return `It ${how}${last === '' ? ', and wrote nothing to its standard error.' : `; the last it wrote to its standard error: "${last}".`}`;
}
