import { type Catalogue, type Protocol, spec } from '../spec/index.js';
import { type Circumstance, dimensions, type Scene } from './circumstances/index.js';
import { markdownTable } from './report/index.js';
import { type State, states } from './states/index.js';

/**
 * What a run with the default options holds against the oracle, with the clock, the users and the collections of `hydrauth demo`.
 * Measured and rounded down; a test compares.
 */
export const defaultRun = {
  requests: 2300,
  combinations: 860,
  pairs: 9800,
  /** Nonces and tokens that were given, all compared with each other. */
  nonces: 1400,
  tokens: 450,
  /** Tokens that were issued after a token that is then still honoured. */
  newerTokens: 190,
  usesOfOneToken: 100,
  /** Answers whose request must be refused or granted, by who asks. */
  held: {
    stranger: 800,
    login: 290,
    'valid-token': 320,
    'wrong-login': 180,
    'wrong-nonce': 100,
    'unknown-token': 120,
    'expired-token': 125,
  },
} as const;

const askers: Readonly<Record<keyof typeof defaultRun.held, string>> = {
  stranger: 'strangers, who must be refused',
  login: 'logins with a fresh nonce, which must be granted',
  'valid-token': 'uses of valid tokens, which must be granted',
  'wrong-login': 'wrong credentials, which must be refused',
  'wrong-nonce': 'right credentials without a nonce of the service, which must be refused',
  'unknown-token': 'tokens that were never issued, which must be refused',
  'expired-token': 'expired tokens, which must be refused',
};

/** The second half of docs/coverage.md: what is tried of every rule. */
export function combinationsText({ catalogue, protocol } = spec): string {
  return [statesText(catalogue), circumstancesText(protocol), runText()].join('');
}

function statesText(catalogue: Catalogue): string {
  const moments: Readonly<Record<State['moment'], string>> = {
    any: 'at any time',
    middle: 'at half the life of the token',
    end: 'just before its end',
    expired: 'after its end',
    late: 'late, because an account sees wrong credentials',
  };
  const answers = { granted: 'granted', refused: 'refused: no token, no resource', challenged: 'refused, with the challenge' } as const;
  const rows = states.map(({ words, moment, must, requirement, isPlainOnly }) => [
    words.replace(/,$/, ''),
    moments[moment] + (isPlainOnly === true ? ', without circumstances' : ''),
    answers[must],
    `\`${requirement}\` ${catalogue.requirement(requirement).level}`,
  ]);
  return `
## States

What a request can bring. Each is tried in every circumstance below, where the table does not say otherwise. The row is the one that tells a failure; where a circumstance causes it
and has a row of its own, that row tells it.

${markdownTable(['state', 'when', 'must be', 'row'], rows)}
`;
}

function circumstancesText({ link, mediaType }: Protocol): string {
  const scene: Scene = {
    basePath: '/api',
    origin: 'http://localhost:8080',
    host: 'localhost:8080',
    collections: ['books', 'people'],
    vocabulary: link.path,
    mediaType,
  };
  const rows = dimensions.map(({ name, values }) => {
    const [, ...others] = values(scene);
    return [name, others.length, others.map(shown).join('<br>')];
  });
  return `
## Circumstances

Everything about a request that must not matter, here for the collections \`books\` and \`people\`. A request has one value of each dimension;
the plain one is not listed. What HTTP allows a value to change is written beside it in \`conformance/circumstances/\`.

${markdownTable(['dimension', 'values', 'which'], rows)}
`;
}

function shown({ id }: Circumstance): string {
  return `\`${id.replaceAll('|', '\\|')}\``;
}

function runText(): string {
  const about = (number: number) => number.toLocaleString('en');
  const rates = Object.entries(defaultRun.held).map(([asker, count]) => [
    askers[asker as keyof typeof askers],
    about(count),
    `${((3 / count) * 100).toPrecision(2)} %`,
  ]);
  const likely = (given: number) => about(Math.floor(given ** 2 / 6 / 1000) * 1000);
  return `
## What a default run covers

**Pairs.** Every pair of values of two dimensions, state among them, stands in at least one request: ${about(defaultRun.pairs)} pairs in some
${about(defaultRun.combinations)} combinations. Not tried are two values of which one would hide the other (such values are tried
in the main states only, each alone), and spellings of a path for anybody but strangers. \`--strength 3\` covers every triple, with three times the requests. Random combinations come on top, and
\`--runs\` raises their number. The report says how many pairs or triples were covered.

**Faults that show now and then.** Every answer is held against what the [oracle](how-it-judges.md) says of its request. A fault that shows at a
rate of 3/n is seen among n such answers with 95 % confidence. These are the rates above which a default run excludes a fault:

${markdownTable(['who asks', 'answers', 'a rate above'], rates)}

\`--runs 100\` brings about 750 logins and 700 uses of valid tokens, and so excludes 0.40 % and 0.43 %.

**Stores that forget or repeat.** A default run is given about ${about(defaultRun.nonces)} nonces and ${about(defaultRun.tokens)} tokens and compares all of
them. So it excludes, with 95 % confidence, nonces that come at random from a pool of up to ${likely(defaultRun.nonces)} and tokens from one of up to
${likely(defaultRun.tokens)} (some 15 bits); a pool that is handed out in order is seen when it is smaller than what was given. The first token of each
user is used once more when about ${about(defaultRun.newerTokens)} newer ones exist, and one token is used at least ${about(defaultRun.usesOfOneToken)} times. A store that
forgets a token beyond a larger number, or ends one after more uses, is not excluded: \`--runs 100\` reaches about 950 tokens, 2,600 nonces
and 550 newer tokens. How long a nonce lives, and how many newer ones it survives, is open and is not judged.

The figures are those of \`hydrauth demo\`: three users, two collections, a clock. They are measured and rounded down, and a test
compares them with a run. Without a clock nothing about expiry is tried.
`;
}
