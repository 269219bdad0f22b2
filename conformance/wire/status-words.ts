import { STATUS_CODES } from 'node:http';
import type { Answer } from './exchange.js';
import { fromTarget } from './from-target.js';

/** Status and reason phrase. The usual phrase is everybody's; one of the target's own is marked as such. */
export function statusWords({ status, reason }: Pick<Answer, 'status' | 'reason'>): string {
  if (reason === '') return `${status}`;
  return `${status} ${reason === STATUS_CODES[status] ? reason : fromTarget(reason)}`;
}
