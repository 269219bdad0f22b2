import { setTimeout as after } from 'node:timers/promises';
import type { ClientSettings, Connect, ReadRequest } from './options.js';
import { type Running, start } from './processes.js';

/** What a client is asked in one scenario, with whole addresses. */
interface Task {
  readonly scenario: string;
  readonly url: string;
  readonly user: { readonly id: number; readonly paraphrase: string };
  /** What it is asked in turn; what stands in one step is asked at once. */
  readonly steps: readonly (readonly ReadRequest[])[];
  /** Aborted when the client is to be ended, because it sends requests without end. */
  readonly stop: AbortSignal;
}

export interface TaskResult {
  /** Missing when it could not say anything. */
  readonly said?: 'success' | 'failure';
  /** The client cannot do what was asked, or the way in which it is driven cannot ask it. */
  readonly unsupported?: string;
  /** Why it did not come to an end by itself, as a sentence. */
  readonly trouble?: string;
  /** How its process ended, as a sentence, with the last lines of what it complained of. */
  readonly ended?: string;
  /** What it printed, at most so much as is looked at. Undefined where it cannot be seen. */
  readonly output?: string | undefined;
  /** Worth a remark, such as processes that stayed. */
  readonly remark?: string;
}

export interface DrivenClient {
  run(task: Task): Promise<TaskResult>;
  close(): Promise<void>;
}

type Driving = Pick<ClientSettings, 'timeoutMs' | 'passEnv'>;

const errors: readonly unknown[] = ['refused', 'gave-up', 'network', 'unsupported'];

/** What an answer says; undefined: nothing. */
function readSaid(answer: unknown): 'success' | 'failure' | 'unsupported' | undefined {
  const { status, error } = Object(answer) as { status?: unknown; error?: unknown };
  if (errors.includes(error)) return error === 'unsupported' ? error : 'failure';
  if (!Number.isInteger(status)) return undefined;
  return Math.floor(Number(status) / 100) === 2 ? 'success' : 'failure';
}

/** Asks for every step in turn, and joins what is said of them. A sentence in place of answers says why there are none. */
async function askAll(
  steps: Task['steps'],
  ask: (requests: readonly ReadRequest[]) => Promise<readonly unknown[] | string>,
): Promise<TaskResult> {
  const all = new Set<ReturnType<typeof readSaid>>();
  for (const step of steps) {
    const answers = await ask(step);
    if (typeof answers === 'string') return { trouble: answers };
    for (const answer of answers) all.add(readSaid(answer));
    if (all.has(undefined)) return { trouble: `The client answered with ${JSON.stringify(answers).slice(0, 200)}, which says nothing.` };
  }
  if (all.has('unsupported')) return { unsupported: 'The client says that it does not support this.' };
  return { said: all.has('failure') ? 'failure' : 'success' };
}

const seconds = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`);

/** A client as a function of this process. What it throws is a failure that it tells. */
export function functionClient(connect: Connect, { timeoutMs }: Driving): DrivenClient {
  return {
    async run({ url, user, steps }) {
      let output: string | undefined;
      const print = (text: string) => {
        output = `${output ?? ''}${text}\n`;
      };
      const perform = async (): Promise<TaskResult> => {
        const client = connect({ url, user: user.id, paraphrase: user.paraphrase, print });
        return askAll(steps, (requests) => Promise.all(requests.map(async (each): Promise<unknown> => client.read(each))));
      };
      const over = new AbortController();
      const late = after(timeoutMs, { trouble: `The client did not end within ${seconds(timeoutMs)}.` }, { signal: over.signal });
      const result = await Promise.race([perform().catch((): TaskResult => ({ said: 'failure' })), late]);
      over.abort();
      return { ...result, output };
    },
    async close() {},
  };
}

const keptSending = 'It was stopped because it kept sending requests.';
const needsDriver = 'This needs --driver: a command that is started anew for each scenario cannot be asked to do it.';

/** A client that is started once a scenario. */
export function commandClient(command: readonly string[], { timeoutMs, passEnv }: Driving): DrivenClient {
  const running = new Set<Running>();
  return {
    async run({ scenario, url, user, steps, stop }) {
      const reads = steps.flat();
      if (reads.length > steps.length || reads.some(({ method }) => method !== undefined)) return { unsupported: needsDriver };
      const told = {
        HYDRAUTH_URL: url,
        HYDRAUTH_USER: String(user.id),
        HYDRAUTH_PARAPHRASE: user.paraphrase,
        HYDRAUTH_READS: reads.map((read) => read.url).join('\n'),
        HYDRAUTH_SCENARIO: scenario,
      };
      const words = command.map((word) => word.replaceAll('{url}', url));
      const begun = start(words, { told, passEnv });
      begun.closeInput();
      running.add(begun);
      const timer = setTimeout(() => begun.end(`The client did not end within ${seconds(timeoutMs)}.`), timeoutMs);
      stop.addEventListener('abort', () => begun.end(keptSending));
      const { code, how, trouble, leftOthers } = await begun.ended;
      clearTimeout(timer);
      running.delete(begun);
      return {
        output: begun.takeOutput(),
        ...(trouble === undefined ? { said: code === 0 ? 'success' : 'failure', ended: how } : { trouble }),
        ...(leftOthers ? { remark: 'The client left processes running when it ended. They were ended, too.' } : {}),
      };
    },
    async close() {
      for (const { end } of running) end('The run was interrupted.');
    },
  };
}

type Line = Readonly<Record<string, unknown>>;

/** A client in one process, which is asked in JSON lines, one scenario after the other. */
export function driverClient(command: readonly string[], { timeoutMs, passEnv }: Driving): DrivenClient {
  let running: Running | undefined;
  let over: string | undefined;
  let id = 0;
  let waiting: { readonly id: number; tell(answer: Line | string): void } | undefined;

  const begin = (): Running => {
    const begun = start(command, { told: { HYDRAUTH_DRIVER: '1' }, passEnv }, (line) => {
      const answer = parsed(line);
      if (answer['id'] === waiting?.id) waiting?.tell(answer);
    });
    void begun.ended.then(({ trouble, how }) => {
      over ??= trouble ?? `The driver ended before it was asked to. ${how}`;
      waiting?.tell(over);
    });
    return begun;
  };

  /** The answer, or a sentence that says why there is none. */
  const ask = (op: 'forget' | 'read' | 'parallel', about: object) =>
    new Promise<Line | string>((resolve) => {
      if (over !== undefined) return resolve(over);
      running ??= begin();
      id += 1;
      const timer = setTimeout(() => running?.end(`The driver gave no answer to ${op} within ${seconds(timeoutMs)}.`), timeoutMs);
      waiting = {
        id,
        tell(answer) {
          clearTimeout(timer);
          waiting = undefined;
          resolve(answer);
        },
      };
      running.write(`${JSON.stringify({ id, op, ...about })}\n`);
    });

  const askFor = async (requests: readonly ReadRequest[]): Promise<readonly unknown[] | string> => {
    const [first, ...more] = requests;
    const isOne = first !== undefined && more.length === 0;
    const answer = await (isOne ? ask('read', first) : ask('parallel', { reads: requests }));
    if (typeof answer === 'string') return answer;
    const { results, status, error } = answer;
    if (isOne) return [{ status, error }];
    // A driver may also say of all of them at once that it cannot.
    return Array.isArray(results) && results.length === requests.length ? results : [{ error }];
  };

  return {
    async run({ url, user, steps, stop: stopping }) {
      const stop = () => running?.end(keptSending);
      stopping.addEventListener('abort', stop);
      const forgotten = await ask('forget', { url, user: user.id, paraphrase: user.paraphrase });
      const result = typeof forgotten === 'string' ? { trouble: forgotten } : await askAll(steps, askFor);
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

function parsed(line: string): Line {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
