import type { ReadRequest } from '../contract.js';
import { askAll, type DrivenClient, type Driving, seconds } from './driven-client.js';
import { endingWords, type Running, start } from './process.js';

type Message =
  | { readonly op: 'forget'; readonly url: string; readonly user: number; readonly paraphrase: string }
  | ({ readonly op: 'read' } & ReadRequest)
  | { readonly op: 'parallel'; readonly reads: readonly ReadRequest[] };

type Line = Readonly<Record<string, unknown>>;

/** A client in one process, which is asked in JSON lines. */
export function driverClient(command: readonly string[], { timeoutMs, passEnv }: Driving): DrivenClient {
  let running: Running | undefined;
  let over: string | undefined;
  let id = 0;
  let waiting: { readonly id: number; tell(answer: Line | string): void } | undefined;

  const begin = (): Running => {
    const begun = start(command, { told: { HYDRAUTH_DRIVER: '1' }, passEnv }, (line) => {
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
    new Promise<Line | string>((resolve) => {
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

  const askFor = async (requests: readonly ReadRequest[]): Promise<readonly unknown[] | string> => {
    const [first, ...more] = requests;
    const isOne = first !== undefined && more.length === 0;
    const answer = await ask(isOne ? { op: 'read', ...first } : { op: 'parallel', reads: requests });
    if (typeof answer === 'string') return answer;
    const { results, status, error } = answer;
    if (isOne) return [{ status, error }];
    // A driver may also say of all of them at once that it cannot.
    return Array.isArray(results) && results.length === requests.length ? results : [{ error }];
  };

  return {
    jobs: 1,
    async run({ url, user, steps, stop: stopping }) {
      const stop = () => running?.end('It was stopped because it kept sending requests.');
      stopping.addEventListener('abort', stop);
      const forgotten = await ask({ op: 'forget', url, user: user.id, paraphrase: user.paraphrase });
      const result = typeof forgotten === 'string' ? { said: undefined, trouble: forgotten } : await askAll(steps, askFor);
      stopping.removeEventListener('abort', stop);
      const output = running?.takeOutput() ?? '';
      // A driver that had to be ended begins anew with the next scenario.
      if (over !== undefined && stopping.aborted) [running, over] = [undefined, undefined];
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

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
