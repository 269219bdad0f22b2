import type { DrivenClient, Task, TaskResult } from './driven-client.js';
import { endingWords, seconds } from './driven-client.js';
import { start } from './process.js';

const needsDriver = 'A command that is started once a scenario cannot be asked this; --driver can.';

/** A client that is started once a scenario. */
export function commandClient(command: readonly string[], how: { readonly jobs: number; readonly timeoutMs: number }): DrivenClient {
  const running = new Set<(because: string) => void>();
  return {
    jobs: how.jobs,
    async run(task) {
      const reads = task.steps.flatMap((step) => ('url' in step && (step.method ?? 'GET') === 'GET' ? [step.url] : []));
      if (reads.length < task.steps.length) return { said: undefined, unsupported: needsDriver, output: undefined };
      const { ended, end, closeInput } = start(
        command.map((word) => word.replaceAll('{url}', task.url)),
        environment(task, reads),
      );
      closeInput();
      running.add(end);
      const timer = setTimeout(() => end(`The client did not end within ${seconds(how.timeoutMs)}.`), how.timeoutMs);
      const stop = () => end('It was ended, because it did not stop to send requests.');
      task.stop.addEventListener('abort', stop);
      const { code, output, complaint, trouble, leftOthers } = await ended;
      clearTimeout(timer);
      task.stop.removeEventListener('abort', stop);
      running.delete(end);
      return {
        said: trouble === undefined ? (code === 0 ? 'success' : 'failure') : undefined,
        output,
        ...(trouble === undefined ? { ended: endingWords({ code, complaint }) } : { trouble }),
        ...(leftOthers ? { remark: 'The client left processes running when it ended. They were ended, too.' } : {}),
      } satisfies TaskResult;
    },
    async close() {
      for (const end of running) end('The run was interrupted.');
    },
  };
}

/** What the client is told. Settings of the kit itself are no business of a client. */
function environment({ scenario, url, user }: Task, reads: readonly string[]): Record<string, string | undefined> {
  return {
    ...inherited(),
    HYDRAUTH_URL: url,
    HYDRAUTH_USER: String(user.id),
    HYDRAUTH_PARAPHRASE: user.paraphrase,
    HYDRAUTH_READS: reads.join('\n'),
    HYDRAUTH_SCENARIO: scenario,
  };
}

/** Proxies of the caller would keep a client from reaching loopback. */
const left = /^(?:HYDRAUTH_.*|https?_proxy|all_proxy)$/i;

export function inherited(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.test(name)));
}
