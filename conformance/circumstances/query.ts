import { type Circumstance, type Dimension, none } from './circumstance.js';

const queries = [
  '?',
  '?page=1',
  '?debug=1',
  '?admin=true',
  '?format=json',
  '?callback=x',
  '?access_token=x',
  '?token=x',
  '?_method=GET',
  '?x=1&x=2',
  '?x=/public/',
];

const named = (query: string): Circumstance => ({
  id: query,
  words: `the query is ${query}`,
  change: (draft) => ({ ...draft, query }),
  // A resource may know no such parameter.
  allows: { granted: [301, 302, 303, 307, 308, 400, 404, 422] },
});

export const query: Dimension = {
  name: 'query',
  values: () => [none, ...queries.map(named)],
  tells: { stranger: 'protection.queries' },
  bundles: true,
};
