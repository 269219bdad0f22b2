import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { News, Order } from './messages.js';

/** The most memory that Newman may take before its process ends. */
const maxHeapMb = 512;
/** How long Newman may be busy beyond the time of one exchange: loading itself, scripts. */
const graceMs = 60_000;

/**
 * Runs Newman in a process of its own and hands on its news. Ends when Newman does, when it says nothing for too long, or when the signal
 * says so; the answer is why it ended early, if it did.
 */
export function startNewman(order: Order, hear: (news: News) => void, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(childFile), [], {
      env: environment(),
      execArgv: [...(fromSource ? ['--import', import.meta.resolve('tsx')] : []), `--max-old-space-size=${maxHeapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let problem: string | undefined;
    let done = false;
    let complaint = '';
    const stop = (reason: string) => {
      problem ??= reason;
      child.kill('SIGKILL');
    };
    const patience = deadline(() => stop('Newman did nothing for too long and was stopped'));
    const interrupt = () => stop(signal?.reason?.name === 'GivenUp' ? signal.reason.message : 'the run was interrupted');

    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    });
    child.on('message', (message) => {
      const news = message as News;
      const unbounded = news.kind === 'began' && order.toClock.includes(news.id);
      patience(unbounded ? undefined : order.timeoutMs + graceMs);
      if (news.kind !== 'done') return hear(news);
      done = true;
      problem ??= news.problem;
    });
    child.once('error', (error) => stop(`Newman could not be started: ${error.message}`));
    child.once('close', (code, how) => {
      patience(undefined);
      signal?.removeEventListener('abort', interrupt);
      resolve(problem ?? (done ? undefined : `Newman ended early (${how ?? `code ${code}`})${firstError(complaint)}`));
    });
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
