import type { ReadRequest } from '../contract.js';

/** What a client is asked in one scenario, with whole addresses. */
export interface Task {
  readonly scenario: string;
  readonly url: string;
  readonly user: { readonly id: number; readonly paraphrase: string };
  readonly steps: readonly (ReadRequest | { readonly parallel: readonly ReadRequest[] })[];
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
  readonly output: string | undefined;
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

const shownLines = 5;
const shownCharacters = 500;

/** How a process ended, and the last lines that it wrote to its standard error. */
export function endingWords({ code, complaint }: { readonly code: number | null; readonly complaint: string }): string {
  const lines = complaint
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-shownLines)
    .join('; ')
    .slice(-shownCharacters);
  const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`;
  return `It ${how}${lines === '' ? ', and wrote nothing to its standard error.' : `; the last it wrote to its standard error: "${lines}".`}`;
}

export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
