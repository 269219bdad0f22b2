import { spec } from '../spec/index.js';
import { dimensions } from './circumstances/index.js';
import { markdownTable } from './report/index.js';
import { type State, states } from './states/index.js';

/**
 * What a run with the default options holds against the oracle, with the clock, the users and the collections of `hydrauth demo`.
 * Measured and rounded down; a test compares.
 */
export const defaultRun = {
  requests: 1400,
  combinations: 490,
  pairs: 12500,
  /** Nonces and tokens that were given, all compared with each other. */
  nonces: 790,
  tokens: 290,
  /** Tokens that were issued after a token that is then still honoured. */
  newerTokens: 120,
  usesOfOneToken: 72,
  /** Answers whose request must be refused or granted, by who asks. */
  held: {
    stranger: [390, 'no credentials: must be refused'],
    login: [200, 'a login with a fresh nonce: must be granted'],
    'valid-token': [235, 'a valid token: must be granted'],
    'wrong-login': [140, 'wrong credentials: must be refused'],
    'wrong-nonce': [70, 'right credentials without a valid nonce: must be refused'],
    'unknown-token': [75, 'a token that was never issued: must be refused'],
    'expired-token': [93, 'an expired token: must be refused'],
  },
} as const;

/** The tables of docs/coverage.md about what is tried of every rule: states, circumstances, and what a default run covers. */
export function combinationTables(): string[][] {
  return [[statesTable()], [circumstancesTable()], ...runTables()];
}

function statesTable(): string {
  const moments: Readonly<Record<State['moment'], string>> = {
    any: 'at any time',
    middle: 'half-way through its lifetime',
    end: 'just before it expires',
    expired: 'after it expired',
    late: 'near the end, because it is a wrong login',
  };
  const answers = { granted: 'granted', refused: 'refused: no token, no resource', challenged: 'refused, with the challenge' } as const;
  const rows = states.map(({ words, moment, must, requirement, isPlainOnly }) => [
    words.replace(/,$/, ''),
    moments[moment] + (isPlainOnly === true ? ', without circumstances' : ''),
    answers[must],
    `\`${requirement}\` ${spec.catalogue.requirement(requirement).level}`,
  ]);
  return markdownTable(['state', 'when', 'must be', 'requirement'], rows);
}

function circumstancesTable(): string {
  const { link, mediaType } = spec.protocol;
  const place = { basePath: '/api', origin: 'http://localhost:8080', collections: ['books', 'people'] } as const;
  const rows = dimensions.map(({ name, values }) => {
    const [, ...others] = values({ ...place, vocabulary: link.path, mediaType });
    return [name, others.length, others.map(({ id }) => `\`${id.replaceAll('|', '\\|')}\``).join('<br>')];
  });
  return markdownTable(['dimension', 'values', 'which'], rows);
}

function runTables(): string[][] {
  const about = (number: number) => number.toLocaleString('en');
  const likely = (given: number) => about(Math.floor(given ** 2 / 6 / 1000) * 1000);
  const { pairs, combinations, nonces, tokens, newerTokens, usesOfOneToken, held } = defaultRun;
  const figures = [
    ['pairs of values', about(pairs)],
    ['requests with these pairs', about(combinations)],
    ['nonces', `${about(nonces)}; drawn at random from a set of up to ${likely(nonces)}, they repeat`],
    ['tokens', `${about(tokens)}; drawn at random from a set of up to ${likely(tokens)} (about 15 bits), they repeat`],
    ["newer tokens, when each user's first one is used again", about(newerTokens)],
    ['uses of one token, at least', about(usesOfOneToken)],
  ];
  const rates = Object.values(held).map(([count, asker]) => [asker, about(count), `${((3 / count) * 100).toPrecision(2)} %`]);
  return [
    [markdownTable(['in a default run', 'about'], figures)],
    [markdownTable(['the request carries', 'answers in a run', 'found if more often than'], rates)],
  ];
}
