import type { Connect, Said } from '../contract.js';
import { type DrivenClient, seconds, type Task, type TaskResult } from './driven-client.js';
import { readSaid, saidOf } from './said.js';

/** A client as a function of this process. What it throws is a failure that it tells. */
export function functionClient(connect: Connect, how: { readonly jobs: number; readonly timeoutMs: number }): DrivenClient {
  return {
    jobs: how.jobs,
    async run(task) {
      let output: string | undefined;
      const print = (text: string) => {
        output = `${output ?? ''}${text}\n`;
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Omit<TaskResult, 'output'>>((resolve) => {
        const trouble = `The client did not end within ${seconds(how.timeoutMs)}.`;
        timer = setTimeout(() => resolve({ said: undefined, trouble }), how.timeoutMs);
      });
      const result = await Promise.race([perform(connect, task, print), late]);
      clearTimeout(timer);
      return { ...result, output };
    },
    async close() {},
  };
}

async function perform(connect: Connect, task: Task, print: (text: string) => void): Promise<Omit<TaskResult, 'output'>> {
  const { url, user, steps } = task;
  const all: Said[] = [];
  try {
    const client = connect({ url, user: user.id, paraphrase: user.paraphrase, print });
    for (const step of steps) {
      const asked = 'parallel' in step ? step.parallel : [step];
      const answers = await Promise.all(asked.map(async (each): Promise<unknown> => client.read(each)));
      const said = readSaid(answers, asked.length);
      if (said === undefined) return { said: undefined, trouble: 'The client gave neither a status nor one of the known errors.' };
      all.push(...said);
    }
  } catch {
    return { said: 'failure' };
  }
  return saidOf(all);
}
