import { withoutHead } from '../oracle/index.js';
import {
  type Before,
  beforeChallenge,
  bundled,
  type Circumstance,
  type Dimension,
  type Draft,
  details,
  line,
  malformed,
  masking,
  sets,
  withHeaders,
} from './circumstance.js';

/** Another host is not under the base URL. */
const misdirected = { ...malformed, elsewhere: true } as const;

const ofQueries = { stranger: 'protection.queries' } as const;
const tooLong = { granted: [400, 404, 414, 422, 431], ...beforeChallenge(400, 414, 431) };

/** How the message itself is written. */
const hostAndTarget = details('host and target', [
  masking({
    id: 'absolute target',
    words: 'the target is written with scheme and host',
    change: sets({ absolute: true }),
    // Every server must accept it (RFC 9112, section 3.2.2); some routers find nothing there.
    allows: { anyRefusal: true, granted: [400, 404, 421] },
  }),
  masking({
    // An address like any other, but nothing says which characters it stands for.
    id: 'octets in the query',
    words: 'the query is ?x=%FF, which is not UTF-8',
    change: sets({ query: '?x=%FF' }),
    allows: { granted: [400, 404, 422], ...beforeChallenge(400, 404) },
    tells: ofQueries,
  }),
  ...[300, 3000].map((length) =>
    masking({
      id: `query of ${length} characters`,
      words: `the query has ${length} characters`,
      change: sets({ query: `?x=${'x'.repeat(length)}` }),
      allows: tooLong,
      askers: ['stranger'],
      tells: ofQueries,
    }),
  ),
  masking({ ...line('Host', 'localhost', misdirected), id: 'Host localhost', words: 'the Host is localhost' }),
  masking({ ...line('Host', 'elsewhere.example', misdirected), id: 'foreign Host', words: 'the Host is another one' }),
]);

const version = details('HTTP version', [
  {
    id: 'HTTP/1.0',
    words: 'the request is HTTP/1.0',
    change: sets({ httpVersion: '1.0' }),
    allows: { granted: [426, 505], ...beforeChallenge(400, 426, 505) },
  },
]);

const connection: Dimension = {
  ...bundled('connection', [{ id: 'fresh', words: 'the connection is a new one', change: sets({ freshConnection: true }) }]),
  tells: { stranger: 'protection.headers', 'valid-token': 'token.any-connection' },
};

/** A network may cut a request anywhere. */
const arrival = bundled('arrival', [{ id: 'in pieces', words: 'the request arrives in two pieces', change: sets({ inPieces: true }) }]);

/** Proxies and browsers add many; what identifies somebody then stands behind them. */
const lines = bundled('header lines', [
  {
    id: 'many',
    words: 'the request has thirty more header lines',
    change: withHeaders(...Array.from({ length: 30 }, (_, index) => [`X-Line-${index + 1}`, 'x'] as const)),
    allows: { granted: [400, 431], ...beforeChallenge(400, 431) },
  },
]);

const written = (letters: string, nameCase: NonNullable<Draft['nameCase']>): Circumstance => ({
  id: letters,
  words: `header names are written in ${letters}`,
  change: sets({ nameCase }),
});

/** How the names of the protocol's headers are written: names have no letter case. */
const names: Dimension = {
  ...bundled('header names', [written('lower case', (name) => name.toLowerCase()), written('capitals', (name) => name.toUpperCase())]),
  tells: {},
};

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
].map((query) => ({
  id: query,
  words: `the query is ${query}`,
  change: sets({ query }),
  // A resource may know no such parameter.
  allows: { granted: [301, 302, 303, 307, 308, 400, 404, 422] },
}));

const query: Dimension = { ...bundled('query', queries), tells: ofQueries };

/** A resource need not have these methods, nor need everybody be allowed to change it; whoever has a token learns that, and a stranger gets the challenge. */
export const lacked = [301, 302, 303, 307, 308, 400, 403, 404, 405, 409, 411, 413, 415, 422, 428, 501] as const;

/** Methods that reach the application on every HTTP server; OPTIONS has rows of its own. */
const method: Dimension = {
  ...details(
    'method',
    ['POST', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((name) => ({
      id: name,
      words: `the method is ${name}`,
      change: sets({ method: name }),
      ...(name === 'HEAD' ? {} : { changesMethod: true as const }),
      // Of a method that it does not know at all, a server says so to everybody.
      allows: name === 'HEAD' ? { granted: withoutHead } : { granted: lacked, ...beforeChallenge(501) },
    })),
  ),
  tells: { stranger: 'protection.methods' },
};

const after = (before: Before, words: string): Circumstance => ({ id: before, words, change: sets({ before }) });

/** What the same client did just before. Wrong attempts are not among it: they come late in a run, as states of their own. */
export const before: Dimension = {
  ...details('before', [
    after('use', 'a valid token was used just before on the same connection'),
    after('login of another', 'another user logged in just before'),
    {
      ...after('pipelined', 'it is written behind another request on one connection, without waiting for its answer'),
      // Both on a connection of their own.
      change: sets({ before: 'pipelined', freshConnection: true }),
      // Node.js writes 100 Continue into the answer that belongs to the request ahead.
      notBeside: ['announced body'],
    },
  ]),
  tells: { stranger: 'protection.collections', 'valid-token': 'token.independent' },
};

export const message = [hostAndTarget, version, connection, arrival, lines, names, query, method];
