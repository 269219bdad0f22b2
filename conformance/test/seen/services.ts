import { randomBytes } from 'node:crypto';
import { before, every, header, onChallenge, pathOf, resourceAt } from '../../../fixtures/changes.js';
import type { Change } from '../../../fixtures/fixture.js';
import { type Answer, defaultUsers, type Incoming, withHeader, withoutHeader } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';
import { isLogin } from './odd-answers.js';

const { headers } = spec.protocol;

/** Every token ends one lifetime after the start of the server, whenever it was issued. */
export const endsCountedFromTheStart: Change = ({ tokens, clock }) => {
  const startedAtMs = clock.now();
  return {
    tokens: { ...tokens, keep: (token, record) => tokens.keep(token, { ...record, expiresAtMs: startedAtMs + tokens.lifetimeMs }) },
  };
};

/** The refusal of wrong credentials has an empty token line, and after it one with a valid token. */
export const tokenBehindAnEmptyLine: Change = ({ guard }) => ({
  guard: {
    ...guard,
    async decide(request, parts) {
      const answer = await guard.decide(request, parts);
      if (answer?.status !== 401 || header(request, headers.authorization) === undefined) return answer;
      return withHeader(withHeader(answer, headers.token, ''), headers.token, await parts.tokens.issue(1, parts));
    },
  },
});

/** `users[id] == paraphrase`, in a language whose maps give an empty text for what they do not hold. */
export const emptyParaphraseOfNobody: Change = ({ credentials }) => ({
  credentials: {
    ...credentials,
    verify: async (presented) =>
      (await credentials.verify(presented)) ?? (presented.paraphrase === '' && isNobody(presented.id) ? 0 : undefined),
  },
});
const isNobody = (id: string) => /^[0-9]+$/.test(id) && !defaultUsers.some((user) => user.id === Number(id));

/** One right login in so many is not granted. */
export const loginsLost =
  (oneIn: number, status: 401 | 500): Change =>
  ({ guard }) => {
    const isLost = every(oneIn);
    return {
      guard: {
        ...guard,
        async decide(request, parts) {
          const answer = await guard.decide(request, parts);
          if (!isLogin(request) || answer?.status !== 200 || !isLost()) return answer;
          return status === 401
            ? parts.answers.challenge(parts.nonces.issue(), request, parts)
            : parts.answers.error(status, request.base, parts);
        },
      },
    };
  };

/**
 * A bucket of twenty requests that is filled at twenty a second, under five hundred a second: the first twenty are answered, then one in
 * twenty-five, and the others refused with 429. Nobody is told when to come back.
 */
export const limiter: Change = ({ guard }) => {
  let seen = 0;
  const isAnswered = () => ++seen <= 20 || seen % 25 === 0;
  return {
    guard: {
      ...guard,
      decide: async (request, parts) => (isAnswered() ? guard.decide(request, parts) : parts.answers.error(429, request.base, parts)),
    },
  };
};

/** The first answers of a service that has just been started. */
export const warmingUp =
  (answers: number, retryAfter?: string): Change =>
  (parts, context) => {
    let left = answers;
    return before((request, all) => {
      if (left-- <= 0) return undefined;
      const answer = all.answers.error(503, request.base, all);
      return retryAfter === undefined ? answer : withHeader(answer, 'Retry-After', retryAfter);
    })(parts, context);
  };

/** So many requests of Newman are answered with an error, as by a service that is overrun. */
export const failsNewman =
  (answers: number): Change =>
  (parts, context) => {
    let left = answers;
    return before((request, all) =>
      /postman/i.test(header(request, 'user-agent') ?? '') && left-- > 0 ? all.answers.error(500, request.base, all) : undefined,
    )(parts, context);
  };

/** A gateway that takes many challenges in a row for an attack, and forbids whatever comes next. */
export const crowdsForbidden: Change = (parts, context) => {
  let [inARow, forbidden] = [0, 0];
  return before((request, all) => {
    inARow = isLogin(request) ? 0 : inARow + 1;
    if (inARow > 12) [inARow, forbidden] = [0, 16];
    return forbidden-- > 0 ? all.answers.error(403, request.base, all) : undefined;
  })(parts, context);
};

/** DELETE is answered with the message of Step B, whoever asks, and without a token. */
export const deletesLikeALogin: Change = before((request, parts) =>
  request.method === 'DELETE' ? withoutHeader(parts.answers.exchange('', request, parts), headers.token) : undefined,
);

/** One login in so many is told to come back later, and not when. */
export const loginsLimited =
  (oneIn: number): Change =>
  (parts, context) => {
    const isLimited = every(oneIn);
    return before((request, { answers, ...rest }) =>
      isLogin(request) && isLimited() ? answers.error(429, request.base, { answers, ...rest }) : undefined,
    )(parts, context);
  };

/** Ten refused logins, and every login, right or wrong, is answered with a closed connection. */
export const hangsUpAtLast: Change = ({ wire }) => {
  let refused = 0;
  return {
    wire: {
      ...wire,
      send(answer, request) {
        if (isLogin(request) && answer.status >= 400) refused += 1;
        if (isLogin(request) && refused > 10) request.raw.req.socket.destroy();
        else wire.send(answer, request);
      },
    },
  };
};

/** After three wrong paraphrases an account refuses the right one too, and says nothing of it. */
export const locksSilently: Change = ({ credentials }) => {
  const wrong = new Map<string, number>();
  return {
    credentials: {
      ...credentials,
      async verify(presented) {
        const count = wrong.get(presented.id) ?? 0;
        if (count >= 3) return undefined;
        const user = await credentials.verify(presented);
        wrong.set(presented.id, user === undefined ? count + 1 : 0);
        return user;
      },
    },
  };
};

/** Every seventh challenge comes without its nonce. */
export const everySeventhNonceMissing: Change = (parts, context) => {
  const isMissing = every(7);
  // Of those whom the law looks at: a refused login or token is no Step A.
  const isStranger = (request: Incoming) => [headers.token, headers.authorization].every((name) => header(request, name) === undefined);
  return onChallenge((answer, request) => (isStranger(request) && isMissing() ? withoutHeader(answer, headers.nonce) : answer))(
    parts,
    context,
  );
};

/** A proxy keeps what was served at an address for the next few requests to it, whoever asks. */
export const cachingProxy: Change = ({ guard }) => {
  const kept = new Map<string, { readonly answer: Answer; uses: number }>();
  return {
    guard: {
      ...guard,
      async decide(request, parts) {
        const entry = request.method === 'GET' ? kept.get(request.target) : undefined;
        if (entry !== undefined && entry.uses-- > 0) return entry.answer;
        const answer = await guard.decide(request, parts);
        const served = answer ?? resourceAt(pathOf(request), request, parts);
        if (request.method === 'GET' && served?.status === 200) kept.set(request.target, { answer: served, uses: 3 });
        return answer;
      },
    },
  };
};

/** A connection on which somebody logged in is known from then on, whatever its requests bring. */
export const rememberedByTheConnection: Change = ({ guard }) => {
  const known = new WeakSet<object>();
  return {
    guard: {
      ...guard,
      async decide(request, parts) {
        if (!isLogin(request) && known.has(request.raw.req.socket)) return undefined;
        const answer = await guard.decide(request, parts);
        if (isLogin(request) && answer?.status === 200) known.add(request.raw.req.socket);
        return answer;
      },
    },
  };
};

/** The first use of a token is refused; from then on the server knows it. */
export const knownAfterItsFirstUse: Change = ({ tokens }) => {
  const asked = new Set<string>();
  return {
    tokens: {
      ...tokens,
      lookup(token, parts) {
        if (asked.has(token)) return tokens.lookup(token, parts);
        asked.add(token);
        return undefined;
      },
    },
  };
};

/** Tokens of sixteen bits, drawn at random. */
export const tokensOfSixteenBits: Change = ({ tokens }) => ({ tokens: { ...tokens, draw: () => randomBytes(2).toString('hex') } });

/** Some addresses stand before the guard: whoever asks is served, whatever the request brings. */
export const openToEverybody = (isOpen: (path: string) => boolean): Change =>
  before((request, parts) => (isOpen(pathOf(request)) ? resourceAt(pathOf(request), request, parts) : undefined));
export const vocabularyForEverybody = openToEverybody((path) => path === '/vocab');
export const peopleForEverybody = openToEverybody((path) => path === '/people');
export const entryPointForEverybody = openToEverybody((path) => path === '' || path === '/');
