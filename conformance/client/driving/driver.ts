import type { ReadRequest, Said } from '../contract.js';
import { inherited } from './command.js';
import { type DrivenClient, endingWords, seconds, type Task, type TaskResult } from './driven-client.js';
import { type Running, start } from './process.js';
import { readSaid, saidOf } from './said.js';

type Message =
  | { readonly op: 'forget'; readonly url: string; readonly user: number; readonly paraphrase: string }
  | ({ readonly op: 'read' } & ReadRequest)
  | { readonly op: 'parallel'; readonly reads: readonly ReadRequest[] };

/** A client in one process, which is asked in JSON lines. */
export function driverClient(command: readonly string[], { timeoutMs }: { readonly timeoutMs: number }): DrivenClient {
  let running: Running | undefined;
  let over: string | undefined;
  let id = 0;
  let waiting: { readonly id: number; tell(answer: Record<string, unknown> | string): void } | undefined;

  const begin = (): Running => {
    const begun = start(command, { ...inherited(), HYDRAUTH_DRIVER: '1' }, (line) => {
      const answer = parsed(line);
      if (answer !== undefined && answer['id'] === waiting?.id) waiting?.tell(answer);
    });
    void begun.ended.then(({ trouble, code, complaint }) => {
      over ??= trouble ?? `The driver ended before it was asked to. ${endingWords({ code, complaint })}`;
      waiting?.tell(over);
    });
    return begun;
  };

  /** The answer, or a sentence that says why there is none. */
  const ask = (message: Message) =>
    new Promise<Record<string, unknown> | string>((resolve) => {
      if (over !== undefined) return resolve(over);
      running ??= begin();
      id += 1;
      const timer = setTimeout(() => running?.end(`The driver gave no answer to ${message.op} within ${seconds(timeoutMs)}.`), timeoutMs);
      waiting = {
        id,
        tell(answer) {
          clearTimeout(timer);
          waiting = undefined;
          resolve(answer);
        },
      };
      running.write(`${JSON.stringify({ id, ...message })}\n`);
    });

  return {
    jobs: 1,
    async run(task) {
      const stop = () => running?.end('It was ended, because it did not stop to send requests.');
      task.stop.addEventListener('abort', stop);
      const result = await perform(ask, task);
      task.stop.removeEventListener('abort', stop);
      const output = running?.takeOutput() ?? '';
      // A driver that had to be ended begins anew with the next scenario.
      if (over !== undefined && task.stop.aborted) [running, over] = [undefined, undefined];
      return { ...result, output };
    },
    async close() {
      if (running === undefined) return;
      running.closeInput();
      const timer = setTimeout(() => running?.end('The driver did not end when its input was closed.'), Math.min(timeoutMs, 1000));
      await running.ended;
      clearTimeout(timer);
    },
  };
}

async function perform(
  ask: (message: Message) => Promise<Record<string, unknown> | string>,
  task: Task,
): Promise<Omit<TaskResult, 'output'>> {
  const { url, user, steps } = task;
  const forgotten = await ask({ op: 'forget', url, user: user.id, paraphrase: user.paraphrase });
  if (typeof forgotten === 'string') return { said: undefined, trouble: forgotten };
  const all: Said[] = [];
  for (const step of steps) {
    const message: Message = 'parallel' in step ? { op: 'parallel', reads: step.parallel } : { op: 'read', ...step };
    const answer = await ask(message);
    if (typeof answer === 'string') return { said: undefined, trouble: answer };
    const said = 'parallel' in step && answer['error'] === undefined ? answer['results'] : [answer];
    const read = readSaid(said, 'parallel' in step && answer['error'] === undefined ? step.parallel.length : 1);
    if (read === undefined)
      return {
        said: undefined,
        trouble: `The driver answered ${message.op} with ${JSON.stringify(answer).slice(0, 200)}, which says nothing.`,
      };
    all.push(...read);
  }
  return saidOf(all);
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
