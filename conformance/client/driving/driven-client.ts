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

export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
