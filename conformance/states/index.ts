import { madeUp } from '../../spec/index.js';
import { basic, everyPartChanged, nearMiss } from '../arbitraries/index.js';
import type { User } from '../options.js';
import { type Decided, decide, type LoginKind, type TokenKind } from '../oracle/index.js';
import { type Token, type Trial, Untested } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';

/** When a state can be brought about: at any time, when tokens have reached an age, or late, because it gives wrong credentials. */
type Moment = 'any' | 'middle' | 'end' | 'expired' | 'late';

/** What the steps that the trial takes lead to. `token` is one of the age that the moment asks for. */
type Of<T> = (trial: Trial, token: () => Promise<Token>) => Promise<T> | T;

/** One header line that a request brings. */
type Bring = Of<HeaderLine>;

/** How a state differs from what the oracle says of it, and how it is tried. */
interface Trying {
  /** When; at any time by default. */
  readonly moment?: Moment;
  /** It is tried without circumstances only. A state that brings more than this one is tried in all of them. */
  readonly isPlainOnly?: true;
  /** No law covers it, so that it is told here even where it fails without any circumstance. */
  readonly hasNoLaw?: true;
  /** The row that tells a failure which does not happen again. No circumstance can be its cause. */
  readonly byChance?: string;
  /** The ids of states that bring less. A failure that happens in one of them, too, is told of that one. */
  readonly plainer?: readonly string[];
  /** `requirement` tells every failure, whatever the circumstance. */
  readonly ownRow?: true;
}

/** What a request brings. The oracle says what must come; `requirement` tells a failure where no circumstance has a row of its own. */
export interface State extends Trying, Pick<Decided, 'about' | 'must' | 'requirement' | 'login'> {
  /** Stable; selects it for a replay. */
  readonly id: string;
  /** As the subject of a sentence: "A valid token is refused when …". */
  readonly words: string;
  readonly moment: Moment;
  /** The lines it adds; the trial takes whatever steps lead to it. */
  bring(trial: Trial, token: () => Promise<Token>): Promise<readonly HeaderLine[]>;
}

const line =
  (header: 'nonce' | 'authorization' | 'token', value: Of<string>): Bring =>
  async (trial, token) => [trial.protocol.headers[header], await value(trial, token)];

const fresh = line('nonce', async (trial) => (await trial.challenge()).value);
const neverIssued = line('nonce', ({ protocol }) => madeUp(protocol.challenge.noncePattern));
const spent = line('nonce', (trial) => trial.spentNonce());

const credentials = (of: Of<Partial<User>>) =>
  line('authorization', async (trial, token) => {
    const value = trial.credentialsOf({ ...trial.user, ...(await of(trial, token)) });
    trial.subject.redactor.secret(value, 'credentials');
    return value;
  });
const right = credentials(() => ({}));
/** The right ones of whom the token was issued to. */
const ofItsOwner = credentials(async (_, token) => (await token()).user);
/** Another id each time, because some services lock even ids that nobody has. */
const ofNobody = credentials(({ subject }) => ({ id: subject.unusedId() }));
const wrongParaphrase = credentials(({ user }) => ({ paraphrase: `${user.paraphrase}x` }));
const written = (value: (scheme: string) => string) => line('authorization', ({ protocol }) => value(protocol.challenge.scheme));
const ofNothing = written((scheme) => basic(scheme, '', ''));

const issued = line('token', async (_, token) => (await token()).value);
const unknown = line('token', ({ protocol }) => madeUp(protocol.exchange.tokenPattern));
const almost = line('token', async (trial, token) => {
  const { value } = await token();
  // Where tokens are numbered, a change near the end makes one that was issued.
  const missed = everyPartChanged
    .toReversed()
    .map((recipe) => nearMiss(value, recipe))
    .find((each) => each !== undefined && !trial.subject.oracle.tokens.has(each.value));
  if (missed === undefined) throw new Untested('the changed token is one that was issued');
  trial.subject.redactor.token(missed.value, `token with ${missed.how}`);
  return missed.value;
});

function state(
  id: string,
  words: string,
  kinds: readonly [token: TokenKind, login: LoginKind],
  bring: readonly Bring[],
  trying: Trying = {},
): State {
  const { what: _, ...decided } = decide(...kinds) as Decided;
  return {
    ...{ moment: 'any', ...decided, ...trying, id, words },
    async bring(trial, aged) {
      let token: Promise<Token> | undefined;
      const once = () => {
        token ??= aged();
        return token;
      };
      const lines: HeaderLine[] = [];
      for (const each of bring) lines.push(await each(trial, once));
      return lines;
    },
  };
}

const valid = (id: string, words: string, moment: Moment) =>
  state(id, words, ['valid', 'none'], [issued], {
    moment,
    byChance: 'token.reusable',
    ...(moment === 'any' ? {} : { plainer: ['fresh token'] }),
  });
const beside = (what: string, words: string, bring: readonly Bring[], isPlainOnly = true) =>
  state(`token and ${what}`, `A valid token beside ${words}`, ['valid', 'form'], [issued, ...bring], {
    hasNoLaw: true,
    byChance: 'token.reusable',
    plainer: ['fresh token'],
    ownRow: true,
    ...(isPlainOnly ? { isPlainOnly } : {}),
  });
/** Two things in one request: tried plainly, and told of the one alone where that one fails, too. */
const ended = (what: string, words: string, login: LoginKind, bring: readonly Bring[], plainer: string) =>
  state(`expired token and ${what}`, `An expired token beside ${words}`, ['over', login], [issued, ...bring], {
    moment: 'expired',
    hasNoLaw: true,
    isPlainOnly: true,
    plainer: ['expired token', plainer],
  });
const late = { moment: 'late' } as const;
const plainLate = { ...late, hasNoLaw: true, isPlainOnly: true } as const;

/** Everything that a request can bring. */
export const states: readonly State[] = [
  state('nothing', 'A request without credentials', ['none', 'none'], []),
  state('nonce and right credentials', 'A fresh nonce with the right credentials', ['none', 'right'], [fresh, right]),
  state(
    'nonce, right credentials and an unknown token',
    'A fresh nonce with the right credentials, beside an unknown token,',
    ['unknown', 'right'],
    [fresh, right, unknown],
    { hasNoLaw: true, plainer: ['nonce and right credentials'], ownRow: true },
  ),
  state('nonce', 'A nonce without credentials', ['none', 'no credentials'], [fresh], { hasNoLaw: true }),
  state('spent nonce', 'A nonce that was already used for a login, without credentials', ['none', 'no credentials'], [spent], {
    hasNoLaw: true,
    isPlainOnly: true,
    plainer: ['nonce'],
  }),
  state('credentials', 'The right credentials without a nonce', ['none', 'no nonce'], [right], { ...late, hasNoLaw: true }),
  state('wrong nonce', 'The right credentials with a nonce that was never issued', ['none', 'nonce'], [neverIssued, right], late),
  state(
    'token as nonce',
    'The right credentials with a valid token in place of the nonce',
    ['none', 'nonce'],
    [line('nonce', async (_, token) => (await token()).value), right],
    { ...plainLate, plainer: ['wrong nonce'], ownRow: true },
  ),
  state('unknown user', 'A nonce with an unknown user id', ['none', 'id'], [fresh, ofNobody]),
  state('wrong paraphrase', 'A nonce with a wrong paraphrase', ['none', 'paraphrase'], [fresh, wrongParaphrase], late),
  valid('fresh token', 'A valid token', 'any'),
  valid('token of middle age', 'A token at half its lifetime', 'middle'),
  valid('token before its end', 'A token just before it expires', 'end'),
  beside('useless credentials', 'credentials of another scheme', [written(() => 'Other x')]),
  beside('malformed credentials', 'malformed credentials', [written((scheme) => scheme)]),
  beside('useless nonce', 'a useless nonce', [neverIssued]),
  beside('useless nonce and credentials', 'a useless nonce and credentials', [neverIssued, ofNothing], false),
  state('expired token', 'An expired token', ['over', 'none'], [issued], { moment: 'expired' }),
  ended('nonce', 'a fresh nonce', 'no credentials', [fresh], 'nonce'),
  ended('credentials', 'the right credentials and no nonce', 'no nonce', [ofItsOwner], 'credentials'),
  ended('nonce and credentials', 'a fresh nonce and the right credentials', 'right', [fresh, ofItsOwner], 'nonce and right credentials'),
  ended('nonce and wrong credentials', 'a fresh nonce and a wrong paraphrase', 'paraphrase', [fresh, wrongParaphrase], 'wrong paraphrase'),
  state('unknown token', 'A token that was never issued', ['unknown', 'none'], [unknown]),
  state('almost a token', 'A token with one character changed', ['unknown', 'none'], [almost]),
];
