import type { ReadRequest, Said } from '../contract.js';

/** What a client is asked in one scenario, with whole addresses. */
export interface Task {
  readonly scenario: string;
  readonly url: string;
  readonly user: { readonly id: number; readonly paraphrase: string };
  /** What it is asked in turn; what stands in one step is asked at once. */
  readonly steps: readonly (readonly ReadRequest[])[];
  /** Aborted when the client is to be ended, because it sends requests without end. */
  readonly stop: AbortSignal;
}

/** What came of it. */
export interface TaskResult {
  /** Undefined when it could not say anything. */
  readonly said: 'success' | 'failure' | undefined;
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

/** A client, and a way to have it do things. */
export interface DrivenClient {
  /** How many scenarios can be gone through at once. */
  readonly jobs: number;
  run(task: Task): Promise<TaskResult>;
  close(): Promise<void>;
}

export interface Driving {
  readonly jobs: number;
  readonly timeoutMs: number;
  /** Variables of the caller that a process is given besides the usual ones. */
  readonly passEnv: readonly string[];
}

/** Asks for every step in turn, and joins what is said of them. A sentence in place of answers says why there are none. */
export async function askAll(
  steps: Task['steps'],
  ask: (requests: readonly ReadRequest[]) => Promise<readonly unknown[] | string>,
): Promise<TaskResult> {
  const all: Said[] = [];
  for (const step of steps) {
    const answers = await ask(step);
    if (typeof answers === 'string') return { said: undefined, trouble: answers };
    const said = answers.map(readSaid);
    if (said.includes(undefined))
      return { said: undefined, trouble: `The client answered with ${JSON.stringify(answers).slice(0, 200)}, which says nothing.` };
    all.push(...(said as Said[]));
  }
  if (all.some((each) => 'error' in each && each.error === 'unsupported'))
    return { said: undefined, unsupported: 'The client says that it does not support this.' };
  return { said: all.every((each) => 'status' in each && each.status >= 200 && each.status < 300) ? 'success' : 'failure' };
}

const errors = ['refused', 'gave-up', 'network', 'unsupported'] as const;

function readSaid(answer: unknown): Said | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { status, error } = answer as { status?: unknown; error?: unknown };
  const known = errors.find((each) => each === error);
  if (known !== undefined) return { error: known };
  return Number.isInteger(status) ? { status: status as number } : undefined;
}

export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
