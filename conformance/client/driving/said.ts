import type { Said } from '../contract.js';
import type { TaskResult } from './driven-client.js';

const errors = ['refused', 'gave-up', 'network', 'unsupported'] as const;

/** What a client said of so many requests; undefined when it said something else. */
export function readSaid(answers: unknown, count: number): Said[] | undefined {
  if (!Array.isArray(answers) || answers.length !== count) return undefined;
  const all = answers.map(one);
  return all.includes(undefined) ? undefined : (all as Said[]);
}

function one(answer: unknown): Said | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { status, error } = answer as { status?: unknown; error?: unknown };
  if (errors.some((known) => known === error)) return { error: error as (typeof errors)[number] };
  return Number.isInteger(status) ? { status: status as number } : undefined;
}

/** All that was said, as one word. */
export function saidOf(all: readonly Said[]): Pick<TaskResult, 'said' | 'unsupported'> {
  if (all.some((each) => 'error' in each && each.error === 'unsupported'))
    return { said: undefined, unsupported: 'The client says that it does not support this.' };
  return { said: all.every((each) => 'status' in each && each.status >= 200 && each.status < 300) ? 'success' : 'failure' };
}
