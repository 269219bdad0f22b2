import { type Before, type Circumstance, type Dimension, none } from './circumstance.js';

const after = (before: Before, words: string): Circumstance => ({ id: before, words, change: (draft) => ({ ...draft, before }) });

/** What came just before. Cases are tried beside each other and, where one fails, alone; wrong attempts come last, with their own states. */
export const before: Dimension = {
  name: 'before',
  values: () => [
    none,
    after('use', 'a valid token was used just before on the same connection'),
    after('login of another', 'another user logged in just before'),
    {
      ...after('pipelined', 'it is written behind another request on one connection, without waiting for its answer'),
      // Node.js writes 100 Continue into the answer to the request before.
      notBeside: ['Expect: 100-continue'],
    },
  ],
  tells: { stranger: 'protection.collections', 'valid-token': 'token.independent' },
};
