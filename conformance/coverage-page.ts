import { spec } from '../spec/index.js';
import { dimensions, type Scene } from './circumstances/index.js';
import { markdownTable } from './report/index.js';
import { type State, states } from './states/index.js';

/**
 * What a run with the default options holds against the oracle, with the clock, the users and the collections of `hydrauth demo`.
 * Measured and rounded down; a test compares.
 */
export const defaultRun = {
  requests: 1700,
  combinations: 570,
  pairs: 12500,
  /** Nonces and tokens that were given, all compared with each other. */
  nonces: 970,
  tokens: 360,
  /** Tokens that were issued after a token that is then still honoured. */
  newerTokens: 165,
  usesOfOneToken: 90,
  /** Answers whose request must be refused or granted, by who asks. */
  held: {
    stranger: [520, 'no credentials: must be refused'],
    login: [255, 'a login with a fresh nonce: must be granted'],
    'valid-token': [275, 'a valid token: must be granted'],
    'wrong-login': [140, 'wrong credentials: must be refused'],
    'wrong-nonce': [70, 'right credentials without a valid nonce: must be refused'],
    'unknown-token': [80, 'a token that was never issued: must be refused'],
    'expired-token': [115, 'an expired token: must be refused'],
  },
} as const;

/** The second half of docs/coverage.md: what is tried of every rule. */
export function combinationsText(): string {
  return [statesText(), circumstancesText(), runText()].join('');
}

function statesText(): string {
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
  return `
## States

A *state* is what a request carries. Unless the table says otherwise, each state is tried with every circumstance below. A failure is reported for the requirement
in the last column, or for the circumstance's own requirement, if it has one.

${markdownTable(['state', 'when', 'must be', 'requirement'], rows)}
`;
}

function circumstancesText(): string {
  const { link, mediaType } = spec.protocol;
  const scene: Scene = {
    basePath: '/api',
    origin: 'http://localhost:8080',
    collections: ['books', 'people'],
    vocabulary: link.path,
    mediaType,
  };
  const rows = dimensions.map(({ name, values }) => {
    const [, ...others] = values(scene);
    return [name, others.length, others.map(({ id }) => `\`${id.replaceAll('|', '\\|')}\``).join('<br>')];
  });
  return `
## Circumstances

A *circumstance* is a detail of a request that must not matter. The details come in groups, called dimensions, and a request has one value of each. The plain value
is not listed. The values here are for the collections \`books\` and \`people\`. \`conformance/circumstances/\` says what HTTP lets each value change.

${markdownTable(['dimension', 'values', 'which'], rows)}
`;
}

function runText(): string {
  const about = (number: number) => number.toLocaleString('en');
  const rates = Object.values(defaultRun.held).map(([count, asker]) => [asker, about(count), `${((3 / count) * 100).toPrecision(2)} %`]);
  const likely = (given: number) => about(Math.floor(given ** 2 / 6 / 1000) * 1000);
  return `
## What a default run covers

**Pairs.** The state counts as a dimension, too. For every two dimensions, every pair of their values is in at least one request: ${about(defaultRun.pairs)} pairs in about
${about(defaultRun.combinations)} requests. Two values are not paired if one would hide the other; these are tried alone, in the main states. Path spellings are tried only
without credentials. \`--strength 3\` covers every triple, with three times the requests. Random combinations come on top; \`--runs\` sets their number. The
report says how many pairs or triples were covered.

**Faults that show now and then.** Every answer is compared with what the [oracle](how-it-judges.md#what-each-answer-must-be) expects. If a fault shows in more than this share of
the answers, a default run finds it with 95 % confidence:

${markdownTable(['the request carries', 'answers in a run', 'found if more often than'], rates)}

\`--runs 100\` makes about 750 logins and uses valid tokens about 700 times, and so finds 0.40 % and 0.43 %.

**Nonces and tokens that repeat.** A default run gets about ${about(defaultRun.nonces)} nonces and ${about(defaultRun.tokens)} tokens and compares them all. If your service picks them at random from a
small set, the run finds that with 95 % confidence: for nonces up to a set of ${likely(defaultRun.nonces)}, for tokens up to ${likely(defaultRun.tokens)} (about 15 bits).
If it hands them out in order, the run finds it when the set is smaller than the number it gets.

**Tokens that are forgotten.** Each user's first token is used again when about ${about(defaultRun.newerTokens)} newer ones exist, and one token is used at least ${about(defaultRun.usesOfOneToken)} times. A store
that forgets tokens later than that is not found. \`--runs 100\` reaches about 950 tokens, 2,600 nonces and 550 newer tokens. How long a nonce lives is left open by the protocol, and not judged.

The figures are those of \`hydrauth demo\`: three users, two collections, a clock. They are measured and rounded down, and a test
compares them with a run. Without a clock, expiry is not tested.
`;
}
