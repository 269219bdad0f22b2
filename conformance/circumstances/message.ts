import { asItIs, beforeChallenge, type Dimension, type Draft, malformed, none, withHeaders } from './circumstance.js';

/** Another host is not under the base URL. */
const misdirected = { ...malformed, elsewhere: true } as const;

/** How the message itself is written. */
export const hostAndTarget: Dimension = {
  name: 'host and target',
  values: () => [
    none,
    {
      id: 'absolute target',
      words: 'the target is written with scheme and host',
      change: (draft) => ({ ...draft, absolute: true }),
      // Every server must accept it (RFC 9112, section 3.2.2); some routers find nothing there.
      allows: { anyRefusal: true, granted: [400, 404, 421] },
      masks: true,
    },
    {
      // An address like any other, but nothing says which characters it stands for.
      id: 'octets in the query',
      words: 'the query is ?x=%FF, which is not UTF-8',
      change: (draft) => ({ ...draft, query: '?x=%FF' }),
      allows: { granted: [400, 404, 422], ...beforeChallenge(400, 404) },
      masks: true,
      tells: { stranger: 'protection.queries' },
    },
    ...[300, 3000].map((length) => ({
      id: `query of ${length} characters`,
      words: `the query has ${length} characters`,
      change: (draft: Draft): Draft => ({ ...draft, query: `?x=${'x'.repeat(length)}` }),
      allows: { granted: [400, 404, 414, 422, 431], ...beforeChallenge(400, 414, 431) },
      masks: true as const,
      askers: ['stranger'] as const,
      tells: { stranger: 'protection.queries' },
    })),
    {
      id: 'Host localhost',
      words: 'the Host is localhost',
      change: (draft) => ({ ...draft, headers: [...draft.headers, ['Host', 'localhost']] }),
      allows: misdirected,
      masks: true,
    },
    {
      id: 'foreign Host',
      words: 'the Host is another one',
      change: (draft) => ({ ...draft, headers: [...draft.headers, ['Host', 'elsewhere.example']] }),
      allows: misdirected,
      masks: true,
    },
  ],
  tells: { stranger: 'protection.headers' },
};

export const version: Dimension = {
  name: 'HTTP version',
  values: () => [
    none,
    {
      id: 'HTTP/1.0',
      words: 'the request is HTTP/1.0',
      change: (draft) => ({ ...draft, httpVersion: '1.0' }),
      allows: { granted: [426, 505], ...beforeChallenge(400, 426, 505) },
    },
  ],
  tells: { stranger: 'protection.headers' },
};

export const connection: Dimension = {
  name: 'connection',
  values: () => [
    { ...none, id: 'kept' },
    { id: 'fresh', words: 'the connection is a new one', change: (draft) => ({ ...draft, freshConnection: true }) },
  ],
  tells: { stranger: 'protection.headers', 'valid-token': 'token.any-connection' },
  bundles: true,
};

/** A network may cut a request anywhere. */
export const arrival: Dimension = {
  name: 'arrival',
  values: () => [
    { ...none, id: 'whole' },
    { id: 'in pieces', words: 'the request arrives in two pieces', change: (draft) => ({ ...draft, inPieces: true }) },
  ],
  tells: { stranger: 'protection.headers' },
  bundles: true,
};

/** Proxies and browsers add many; what identifies somebody then stands behind them. */
export const lines: Dimension = {
  name: 'header lines',
  values: () => [
    none,
    {
      id: 'many',
      words: 'the request has thirty more header lines',
      change: withHeaders(...Array.from({ length: 30 }, (_, index) => [`X-Line-${index + 1}`, 'x'] as const)),
      allows: { granted: [400, 431], ...beforeChallenge(400, 431) },
    },
  ],
  tells: { stranger: 'protection.headers' },
  bundles: true,
};

/** How the names of the protocol's headers are written: names have no letter case. */
export const names: Dimension = {
  name: 'header names',
  values: () => [
    { ...none, change: asItIs },
    {
      id: 'lower case',
      words: 'header names are written in lower case',
      change: (draft) => ({ ...draft, nameCase: (name) => name.toLowerCase() }),
    },
    {
      id: 'capitals',
      words: 'header names are written in capitals',
      change: (draft) => ({ ...draft, nameCase: (name) => name.toUpperCase() }),
    },
  ],
  tells: {},
  bundles: true,
};
