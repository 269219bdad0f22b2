import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isNewmanInstalled } from './installed.js';
import type { NewmanEvent, NewmanJob } from './messages.js';

/** The most memory that Newman may take before its process ends. */
const maxHeapMb = 512;
/** How long Newman may be busy beyond the time of one exchange: loading itself, scripts. */
const graceMs = 60_000;

/** A process of its own in which Newman is loaded, and which takes one job after another. */
export interface NewmanProcess {
  /** Runs one job. Ends when Newman does, when it is silent for too long, or when the signal aborts; the result says why it ended early. */
  run(job: NewmanJob, onEvent: (event: NewmanEvent) => void, signal?: AbortSignal): Promise<string | undefined>;
  end(): void;
}

/** A process that was forked before anybody asked for it. */
let spare: ChildProcess | undefined;

/** Forks the process that `openNewman` will return next, because loading Newman takes longer than much of a run. It does not keep this process alive. */
export function warmNewman(): void {
  if (!isNewmanInstalled()) return;
  putAside(spare ?? forkChild());
}

let isKept = false;

/** From now on a process that has done its work is put aside for the next run, where this process judges one target after another. */
export function keepNewman(): void {
  isKept = true;
}

function putAside(child: ChildProcess): void {
  spare = child;
  child.unref();
  child.channel?.unref();
}

const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null && !child.killed;

function takeSpare(): ChildProcess | undefined {
  const taken = spare;
  spare = undefined;
  taken?.ref();
  taken?.channel?.ref();
  return taken;
}

export function openNewman(): NewmanProcess {
  let child: ChildProcess | undefined = takeSpare() ?? forkChild();
  let isBusy = false;
  return {
    run(...job) {
      // A process that was stopped or broke down is replaced.
      if (!isAlive(child)) child = forkChild();
      isBusy = true;
      return runJob(child, ...job).finally(() => {
        isBusy = false;
      });
    },
    end() {
      if (isKept && !isBusy && spare === undefined && isAlive(child)) putAside(child);
      else child?.kill('SIGKILL');
      child = undefined;
    },
  };
}

function forkChild(): ChildProcess {
  const child = fork(fileURLToPath(childFile), [], {
    env: environment(),
    execArgv: [...(fromSource ? ['--import', import.meta.resolve('tsx')] : []), `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // An error without a listener would end this process, and before the first job nobody else listens.
  child.on('error', () => {});
  return child;
}

function runJob(child: ChildProcess, ...[job, onEvent, signal]: Parameters<NewmanProcess['run']>): Promise<string | undefined> {
  return new Promise((resolve) => {
    let problem: string | undefined;
    let errorText = '';
    const stop = (reason: string) => {
      problem ??= reason;
      child.kill('SIGKILL');
    };
    const extend = deadline(() => stop('Newman did nothing for too long and was stopped'));
    const interrupt = () => stop(signal?.reason?.name === 'GivenUp' ? signal.reason.message : 'the run was interrupted');
    const keepErrorText = (chunk: Buffer) => {
      errorText = `${errorText}${chunk}`.slice(-2000);
    };
    const listen = (message: unknown) => {
      const event = message as NewmanEvent;
      const isUnbounded = event.kind === 'began' && job.toClock.includes(event.id);
      extend(isUnbounded ? undefined : job.timeoutMs + job.apartMs + graceMs);
      if (event.kind === 'done') finish(problem ?? event.problem);
      else onEvent(event);
    };
    const failed = (error: Error) => stop(`Newman could not be started: ${error.message}`);
    const closed = (code: number | null, how: string | null) =>
      finish(problem ?? `Newman ended early (${how ?? `code ${code}`})${firstError(errorText)}`);
    const finish = (ended: string | undefined) => {
      extend(undefined);
      signal?.removeEventListener('abort', interrupt);
      child.stderr?.off('data', keepErrorText);
      child.off('message', listen).off('error', failed).off('close', closed);
      resolve(ended);
    };
    child.stderr?.on('data', keepErrorText);
    child.on('message', listen).on('error', failed).on('close', closed);
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, { once: true });
    extend(job.timeoutMs + graceMs);
    child.send(job, () => undefined);
  });
}

/** The sources run as they are in development; Node 20 needs a loader for them. */
const fromSource = import.meta.url.endsWith('.ts');
const childFile = new URL(fromSource ? './child.ts' : './child.js', import.meta.url);

/** Only what Node needs, so that no proxy comes between and no secret is handed on. */
function environment(): NodeJS.ProcessEnv {
  const kept = [
    'PATH',
    'HOME',
    'TMPDIR',
    'TEMP',
    'TMP',
    'SystemRoot',
    'USERPROFILE',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

function deadline(passed: () => void): (ms: number | undefined) => void {
  let timer: NodeJS.Timeout | undefined;
  return (ms) => {
    clearTimeout(timer);
    if (ms !== undefined) timer = setTimeout(passed, ms);
  };
}

function firstError(errorText: string): string {
  const line = errorText.split('\n').find((each) => /error/i.test(each));
  return line === undefined ? '' : `: ${line.trim()}`;
}
