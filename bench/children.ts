import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A script of the bench in a process of its own, which answers questions. */
export interface Child<Ready> {
  readonly ready: Ready;
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** Starts a script below bench/, and waits for the first message it sends. */
export async function startChild<Ready>(script: string, settings: object = {}, nodeOptions: readonly string[] = []): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [...process.execArgv, ...nodeOptions],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => running.delete(child));
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      const failed = () => reject(new Error(`${script} ended before it answered`));
      child.once('exit', failed);
      child.once('message', (message) => {
        child.off('exit', failed);
        resolve(message as T);
      });
    });
  return {
    ready: await next<Ready>(),
    ask<Answer>(question: object) {
      const answer = next<Answer>();
      child.send(question);
      return answer;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** The other side: what this process was started with. */
export function settingsOf<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

export function tell(message: object): void {
  process.send?.(message);
}

export function answerWith<Question>(work: (question: Question) => Promise<object> | object): void {
  process.on('message', async (question) => tell(await work(question as Question)));
}
