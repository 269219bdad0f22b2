import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { News, Order } from './messages.js';

/** The most memory that Newman may take before its process ends. */
const maxHeapMb = 512;
/** How long Newman may be busy beyond the time of one exchange: loading itself, scripts. */
const graceMs = 60_000;
/** A body this large is no answer of the three steps; reading on would only cost memory. */
export const maxAnswerBytes = 5 * 1024 * 1024;

/** Newman in a process of its own, which begins to load it at once and takes one order after another. */
export interface NewmanProcess {
  /**
   * Hands on the news of one order. Ends when Newman does, when it says nothing for too long, or when the signal says so; the answer is
   * why it ended early, if it did.
   */
  run(order: Order, hear: (news: News) => void, signal?: AbortSignal): Promise<string | undefined>;
  end(): void;
}

/** Begun before anybody has asked for it. */
let spare: ChildProcess | undefined;

/** Begins to load Newman, which takes longer than much of a run: the next process that is opened is this one. Holds nobody up. */
export function warmNewman(): void {
  spare ??= forkChild();
  spare.unref();
  spare.channel?.unref();
}

function takeSpare(): ChildProcess | undefined {
  const taken = spare;
  spare = undefined;
  taken?.ref();
  taken?.channel?.ref();
  return taken;
}

export function openNewman(): NewmanProcess {
  let child: ChildProcess | undefined = takeSpare() ?? forkChild();
  return {
    run(order, hear, signal) {
      // One that was stopped or broke down is replaced.
      if (child === undefined || child.exitCode !== null || child.signalCode !== null || child.killed) child = forkChild();
      return carryOut(child, order, hear, signal);
    },
    end() {
      child?.kill('SIGKILL');
      child = undefined;
    },
  };
}

function forkChild(): ChildProcess {
  const child = fork(fileURLToPath(childFile), [String(maxAnswerBytes)], {
    env: environment(),
    execArgv: [...(fromSource ? ['--import', import.meta.resolve('tsx')] : []), `--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // Whoever gives an order listens too; until then nobody may.
  child.on('error', () => {});
  return child;
}

function carryOut(child: ChildProcess, order: Order, hear: (news: News) => void, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    let problem: string | undefined;
    let complaint = '';
    const stop = (reason: string) => {
      problem ??= reason;
      child.kill('SIGKILL');
    };
    const patience = deadline(() => stop('Newman did nothing for too long and was stopped'));
    const interrupt = () => stop(signal?.reason?.name === 'GivenUp' ? signal.reason.message : 'the run was interrupted');
    const complain = (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    };
    const listen = (message: unknown) => {
      const news = message as News;
      const unbounded = news.kind === 'began' && order.toClock.includes(news.id);
      patience(unbounded ? undefined : order.timeoutMs + graceMs);
      if (news.kind === 'done') finish(problem ?? news.problem);
      else hear(news);
    };
    const failed = (error: Error) => stop(`Newman could not be started: ${error.message}`);
    const closed = (code: number | null, how: string | null) =>
      finish(problem ?? `Newman ended early (${how ?? `code ${code}`})${firstError(complaint)}`);
    const finish = (ended: string | undefined) => {
      patience(undefined);
      signal?.removeEventListener('abort', interrupt);
      child.stderr?.off('data', complain);
      child.off('message', listen).off('error', failed).off('close', closed);
      resolve(ended);
    };
    child.stderr?.on('data', complain);
    child.on('message', listen).on('error', failed).on('close', closed);
    patience(order.timeoutMs + graceMs);
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, { once: true });
    send(child, order);
  });
}

/** The sources run as they are in development; Node 20 needs a loader for them. */
const fromSource = import.meta.url.endsWith('.ts');
const childFile = new URL(fromSource ? './child.ts' : './child.js', import.meta.url);

function send(child: ChildProcess, order: Order): void {
  child.send(order, () => undefined);
}

/** Nothing but what Node needs: no proxy may come between, and no secret is handed on. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

function deadline(passed: () => void): (ms: number | undefined) => void {
  let timer: NodeJS.Timeout | undefined;
  return (ms) => {
    clearTimeout(timer);
    if (ms !== undefined) timer = setTimeout(passed, ms);
  };
}

function firstError(complaint: string): string {
  const line = complaint.split('\n').find((each) => /error/i.test(each));
  return line === undefined ? '' : `: ${line.trim()}`;
}
