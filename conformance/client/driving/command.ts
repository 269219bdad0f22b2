import { type DrivenClient, type Driving, seconds, type Task } from './driven-client.js';
import { endingWords, start } from './process.js';

const needsDriver = 'This needs --driver: a command that is started anew for each scenario cannot be asked to do it.';

/** A client that is started once a scenario. */
export function commandClient(command: readonly string[], { jobs, timeoutMs, passEnv }: Driving): DrivenClient {
  const running = new Set<(because: string) => void>();
  return {
    jobs,
    async run(task) {
      if (task.steps.some((step) => step.length > 1 || step.some(({ method }) => method !== undefined)))
        return { said: undefined, unsupported: needsDriver };
      const words = command.map((word) => word.replaceAll('{url}', task.url));
      const { ended, end, closeInput } = start(words, { told: variables(task), passEnv });
      closeInput();
      running.add(end);
      const timer = setTimeout(() => end(`The client did not end within ${seconds(timeoutMs)}.`), timeoutMs);
      const stop = () => end('It was stopped because it kept sending requests.');
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
      };
    },
    async close() {
      for (const end of running) end('The run was interrupted.');
    },
  };
}

/** What the contract tells a client. */
function variables({ scenario, url, user, steps }: Task): Record<string, string> {
  return {
    HYDRAUTH_URL: url,
    HYDRAUTH_USER: String(user.id),
    HYDRAUTH_PARAPHRASE: user.paraphrase,
    HYDRAUTH_READS: steps.flatMap((step) => step.map((read) => read.url)).join('\n'),
    HYDRAUTH_SCENARIO: scenario,
  };
}
