import type { Connect } from '../contract.js';
import { askAll, type DrivenClient, type Driving, seconds, type TaskResult } from './driven-client.js';

/** A client as a function of this process. What it throws is a failure that it tells. */
export function functionClient(connect: Connect, { jobs, timeoutMs }: Driving): DrivenClient {
  return {
    jobs,
    async run({ url, user, steps }) {
      let output: string | undefined;
      const print = (text: string) => {
        output = `${output ?? ''}${text}\n`;
      };
      const perform = async (): Promise<TaskResult> => {
        const client = connect({ url, user: user.id, paraphrase: user.paraphrase, print });
        return askAll(steps, (requests) => Promise.all(requests.map(async (each): Promise<unknown> => client.read(each))));
      };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<TaskResult>((resolve) => {
        const trouble = `The client did not end within ${seconds(timeoutMs)}.`;
        timer = setTimeout(() => resolve({ said: undefined, trouble }), timeoutMs);
      });
      const result = await Promise.race([perform().catch((): TaskResult => ({ said: 'failure' })), late]);
      clearTimeout(timer);
      return { ...result, output };
    },
    async close() {},
  };
}
