import { withoutHead } from '../oracle/index.js';
import { beforeChallenge, type Circumstance, type Dimension, none } from './circumstance.js';

/** A resource need not have these methods, nor need everybody be allowed to change it; whoever has a token learns that, and a stranger gets the challenge. */
export const lacked = [301, 302, 303, 307, 308, 400, 403, 404, 405, 409, 411, 413, 415, 422, 428, 501] as const;

const named = (method: string, granted: readonly number[] = lacked): Circumstance => ({
  id: method,
  words: `the method is ${method}`,
  change: (draft) => ({ ...draft, method }),
  // Of a method that it does not know at all, a server says so to everybody.
  allows: { granted, ...(method === 'HEAD' ? {} : beforeChallenge(501)) },
});

/** Methods that reach the application on every HTTP server; OPTIONS has rows of its own. */
export const method: Dimension = {
  name: 'method',
  values: () => [none, named('HEAD', withoutHead), named('POST'), named('PUT'), named('PATCH'), named('DELETE')],
  tells: { stranger: 'protection.methods' },
};
