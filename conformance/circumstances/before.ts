import { type Before, type Circumstance, type Dimension, none } from './circumstance.js';

const after = (before: Before, words: string): Circumstance => ({ id: before, words, change: (draft) => ({ ...draft, before }) });

/** What the same client did just before. Wrong attempts are not among it: they come late in a run, as states of their own. */
export const before: Dimension = {
  name: 'before',
  values: () => [
    none,
    after('use', 'a valid token was used just before on the same connection'),
    after('login of another', 'another user logged in just before'),
    {
      ...after('pipelined', 'it is written behind another request on one connection, without waiting for its answer'),
      // Both on a connection of their own.
      change: (draft) => ({ ...draft, before: 'pipelined', freshConnection: true }),
      // Node.js writes 100 Continue into the answer that belongs to the request ahead.
      notBeside: ['announced body'],
    },
  ],
  tells: { stranger: 'protection.collections', 'valid-token': 'token.independent' },
};
