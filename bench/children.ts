import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
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

/** Starts a script of this folder, and waits for the first message it sends. */
export async function startChild<Ready>(script: string, settings: object = {}, nodeOptions: readonly string[] = []): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [...process.execArgv, ...nodeOptions],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(() => void running.delete(child));
  const tooEarly = async (): Promise<never> => {
    await ended;
    throw new Error(`${script} ended before it answered`);
  };
  const next = async <T>(): Promise<T> => (await Promise.race([once(child, 'message'), tooEarly()]))[0] as T;
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
