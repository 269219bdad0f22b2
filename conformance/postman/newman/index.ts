import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Exchange } from '../../wire/index.js';
import type { CheckResult } from '../sandbox/pm.js';

/** What a run keeps to. */
export interface NewmanLimits {
  readonly timeoutMs: number;
  /** How many milliseconds must lie between two requests. */
  readonly apartMs: number;
  /** Certificates in PEM text. */
  readonly ca?: string;
  readonly insecure: boolean;
  /** False for a target that attends to one connection at a time. */
  readonly keepAlive: boolean;
}

/** One run of a collection. It holds a secret, so that it is sent over the channel of the process and not on its command line. */
export interface NewmanJob extends NewmanLimits {
  readonly collection: object;
  readonly variables: Readonly<Record<string, string>>;
  /** Ids of the requests that go to the clock. They have no time limit, because a clock may wait in real time. */
  readonly toClock: readonly string[];
}

/** What happens during a job, in order. `id` is the id of the request in the collection. */
export type NewmanEvent =
  | { readonly kind: 'began'; readonly id: string }
  | ({ readonly kind: 'exchange'; readonly id: string; readonly sentAtSteadyMs: number } & Omit<Exchange, 'sentAtMs'>)
  | { readonly kind: 'results'; readonly results: readonly CheckResult[] }
  | { readonly kind: 'broke'; readonly id: string; readonly message: string }
  | { readonly kind: 'done'; readonly problem?: string };

/** The clock that all processes of a machine have in common and nobody sets, other than the time since the epoch. */
export const steadyMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Newman is an optional dependency: `npm install --omit=optional` leaves it out, and most of what is installed with it. It is looked for as
 * `import` does: `require` would also find one in NODE_PATH or in a folder of the user, which then cannot be imported.
 */
export function isNewmanInstalled(): boolean {
  try {
    import.meta.resolve('newman');
    return true;
  } catch {
    return false;
  }
}

export const howToGetNewman = 'npm install newman';

/** A process of its own in which Newman is loaded, and which takes one job after another. */
export interface NewmanProcess {
  /** Runs one job. Ends when Newman does, when it is silent for too long, or when the signal aborts; the result says why it ended early. */
  run(job: NewmanJob, onEvent: (event: NewmanEvent) => void, signal?: AbortSignal): Promise<string | undefined>;
  end(): void;
}

/** A process that was forked before anybody asked for it. */
let spare: ChildProcess | undefined;
let isKept = false;

/** Forks the process that `openNewman` will return next, because loading Newman takes longer than much of a run. It does not keep this process alive. */
export function warmNewman(): void {
  if (isNewmanInstalled()) putAside(spare ?? forkChild());
}

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

export function openNewman(): NewmanProcess {
  let child: ChildProcess | undefined = spare ?? forkChild();
  spare = undefined;
  child.ref();
  child.channel?.ref();
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

/** The sources run as they are in development; Node 20 needs a loader for them. */
const fromSource = import.meta.url.endsWith('.ts');
const childFile = new URL(fromSource ? './child.ts' : './child.js', import.meta.url);
/** The most memory that Newman may take before its process ends. */
const maxHeapMb = 512;
/** Only what Node needs, so that no proxy comes between and no secret is handed on. */
const handedOn = /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|USERPROFILE|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

function forkChild(): ChildProcess {
  const child = fork(fileURLToPath(childFile), [], {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => handedOn.test(name))),
    execArgv: [...(fromSource ? ['--import', import.meta.resolve('tsx')] : []), `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // An error without a listener would end this process, and before the first job nobody else listens.
  child.on('error', () => {});
  return child;
}

/** How long Newman may be busy beyond the time of one exchange: loading itself, scripts. */
const graceMs = 60_000;

function runJob(child: ChildProcess, ...[job, onEvent, signal]: Parameters<NewmanProcess['run']>): Promise<string | undefined> {
  return new Promise((resolve) => {
    let problem: string | undefined;
    let errorText = '';
    let timer: NodeJS.Timeout | undefined;
    const stop = (reason: string) => {
      problem ??= reason;
      child.kill('SIGKILL');
    };
    const allow = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(stop, ms, 'Newman did nothing for too long and was stopped');
    };
    const interrupt = () => stop(signal?.reason?.name === 'GivenUp' ? signal.reason.message : 'the run was interrupted');
    const keepErrorText = (chunk: Buffer) => {
      errorText = `${errorText}${chunk}`.slice(-2000);
    };
    const listen = (message: unknown) => {
      const event = message as NewmanEvent;
      allow(job.timeoutMs + job.apartMs + graceMs);
      if (event.kind === 'began' && job.toClock.includes(event.id)) clearTimeout(timer);
      if (event.kind === 'done') finish(problem ?? event.problem);
      else onEvent(event);
    };
    const failed = (error: Error) => stop(`Newman could not be started: ${error.message}`);
    const closed = (code: number | null, how: string | null) => {
      const line = errorText.split('\n').find((each) => /error/i.test(each));
      finish(problem ?? `Newman ended early (${how ?? `code ${code}`})${line === undefined ? '' : `: ${line.trim()}`}`);
    };
    const finish = (ended: string | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      child.stderr?.off('data', keepErrorText);
      child.off('message', listen).off('error', failed).off('close', closed);
      resolve(ended);
    };
    child.stderr?.on('data', keepErrorText);
    child.on('message', listen).on('error', failed).on('close', closed);
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, { once: true });
    allow(job.timeoutMs + graceMs);
    child.send(job, () => undefined);
  });
}
