import { readdirSync } from 'node:fs';
import { answerWith, tell } from '../children.js';

/** What a server process has used up, asked from outside. */
export interface Usage {
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** File handles, where the system tells. */
  readonly handles: number;
}

function usage(): Usage {
  global.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  return { cpuMs: (user + system) / 1000, residentMb: rss / 2 ** 20, heapMb: (heapUsed + external) / 2 ** 20, handles };
}

/** Says where the server of this process listens, and from then on what it has used up. */
export function serving(ready: { readonly url: string; readonly clock?: string | null }): void {
  answerWith(usage);
  tell(ready);
}
