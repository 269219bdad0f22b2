import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  authorizationOf,
  before,
  everyNth,
  hasCredentials,
  hasToken,
  header,
  onChallenge,
  pathOf,
  resourceAt,
  when,
  without,
} from '../../../fixtures/changes.js';
import { both, method, not } from '../../../fixtures/circumstances.js';
import type { Change } from '../../../fixtures/fixture.js';
import { readCredentials, verifying } from '../../../fixtures/logins.js';
import { open } from '../../../fixtures/states.js';
import { type Answer, defaultUsers, type Incoming, type Parts, withHeader, withoutHeader } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';

const { headers } = spec.protocol;

const idOf = (request: Incoming, parts: Parts): string | undefined => readCredentials(request, parts)?.id;

/** A request that brings right or wrong credentials beside a nonce. */
const isLogin = (request: Incoming) => header(request, headers.nonce) !== undefined && header(request, headers.authorization) !== undefined;

/** What the guard decides, changed. */
const instead =
  (change: (request: Incoming, answer: Answer | undefined, parts: Parts) => Answer | undefined | Promise<Answer | undefined>): Change =>
  ({ guard }) => ({ guard: { decide: async (request, parts) => change(request, await guard.decide(request, parts), parts) } });

/** Strangers are served what stands at the address of the entry point. */
export const openEntryPoint: Change = open((request) => (['', '/'].includes(pathOf(request)) ? '' : undefined));
/** Strangers get something from every path that does not exist. */
export const openUnknownPaths: Change = open((request) =>
  /^\/(books|people|vocab)?\/?$/i.test(pathOf(request)) || pathOf(request) === '' ? undefined : '/books',
);

/** An id that nobody has is answered with 400 instead of a refusal like the others. */
export const unknownUser400: Change = instead((request, answer, parts) => {
  const id = idOf(request, parts);
  const isNobodys = id !== undefined && !defaultUsers.some((user) => String(user.id) === id);
  return answer?.status === 401 && isLogin(request) && isNobodys ? parts.answers.error(400, request.base, parts) : answer;
});

/** A filter in front of the service forbids an address with an encoded zero octet. */
export const zeroOctetFiltered: Change = instead((request, answer) =>
  request.raw.req.url?.includes('%00') ? { status: 403, headers: [['Content-Type', 'text/html']], body: Buffer.from('<html>') } : answer,
);

/** An id written with a fraction ends in an error of the server. */
export const fraction500: Change = instead((request, answer, parts) =>
  isLogin(request) && /^\d+\.\d+$/.test(idOf(request, parts) ?? '') ? parts.answers.error(500, request.base, parts) : answer,
);

/** A login with If-None-Match: * is answered with 304, as a framework does to every 200 of a GET. */
export const notModifiedLogin: Change = instead((request, answer) =>
  isLogin(request) && answer?.status === 200 && header(request, 'if-none-match') === '*'
    ? {
        ...answer,
        status: 304,
        headers: answer.headers.filter(([name]) => name !== headers.contentLength && name !== headers.token),
        body: Buffer.alloc(0),
      }
    : answer,
);

/** The refusal of wrong credentials has an empty token line, and after it one with a valid token. */
export const tokenBehindAnEmptyLine: Change = instead(async (request, answer, parts) =>
  answer?.status !== 401 || authorizationOf(request) === undefined
    ? answer
    : withHeader(withHeader(answer, headers.token, ''), headers.token, await parts.tokens.issue(1, parts)),
);

/** `users[id] == paraphrase`, in a language whose maps give an empty text for what they do not hold. */
export const emptyParaphraseOfNobody: Change = verifying((verify, users) => async (presented) => {
  const isNobody = /^[0-9]+$/.test(presented.id) && !users.some(({ id }) => String(id) === presented.id);
  return (await verify(presented)) ?? (presented.paraphrase === '' && isNobody ? 0 : undefined);
});

/** One right login in so many is not granted. */
export const loginsLost = (oneIn: number, status: 401 | 500): Change =>
  everyNth(oneIn, (isLost) =>
    instead((request, answer, parts) => {
      if (!isLogin(request) || answer?.status !== 200 || !isLost()) return answer;
      return status === 401
        ? parts.answers.challenge(parts.nonces.issue(), request, parts)
        : parts.answers.error(status, request.base, parts);
    }),
  );

/** A gateway before it loses the service at one request in so many. */
export const gatewayLoses = (oneIn: number): Change =>
  everyNth(oneIn, (isLost) => before((request, parts) => (isLost() ? parts.answers.error(502, request.base, parts) : undefined)));

const later = (status: number, request: Incoming, parts: Parts, retryAfter?: string): Answer =>
  parts.answers.error(status, request.base, parts, retryAfter === undefined ? [] : [['Retry-After', retryAfter]]);

/** The first answers of a service that has just been started. */
export const warmingUp =
  (answers: number, retryAfter?: string): Change =>
  (parts, context) => {
    let left = answers;
    return before((request, all) => (left-- > 0 ? later(503, request, all, retryAfter) : undefined))(parts, context);
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

/** A gateway before it loses the service at every login that comes while another is under way. */
export const gatewayLosesLogins: Change = ({ guard }) => {
  let underWay = 0;
  const decide: typeof guard.decide = async (request, parts) => {
    if (!isLogin(request)) return guard.decide(request, parts);
    if (underWay > 0) return parts.answers.error(502, request.base, parts);
    underWay += 1;
    await setTimeout(5);
    underWay -= 1;
    return guard.decide(request, parts);
  };
  return { guard: { decide } };
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
  method('DELETE')(request) ? withoutHeader(parts.answers.exchange('', request, parts), headers.token) : undefined,
);

/** One login in so many is told to come back later, and when or not. */
export const loginsLimited = (oneIn: number, retryAfter?: string): Change =>
  everyNth(oneIn, (isLimited) =>
    before((request, parts) => (isLogin(request) && isLimited() ? later(429, request, parts, retryAfter) : undefined)),
  );

/** The same behind the guard: the nonce of such a login is used up. */
export const loginsLimitedLate = (oneIn: number): Change =>
  everyNth(oneIn, (isLimited) =>
    instead((request, answer, parts) => (answer?.status === 200 && isLimited() ? later(429, request, parts, '0') : answer)),
  );

/** Ten refused logins, and every login, right or wrong, is answered with a closed connection. */
export const hangsUpAtLast: Change = ({ wire }) => {
  let refused = 0;
  return {
    wire: {
      send(answer, request) {
        if (isLogin(request) && answer.status >= 400) refused += 1;
        if (isLogin(request) && refused > 10) request.raw.req.socket.destroy();
        else wire.send(answer, request);
      },
    },
  };
};

/** After three wrong paraphrases an account refuses the right one too, and says nothing of it. */
export const locksSilently: Change = verifying((verify) => {
  const wrong = new Map<string, number>();
  return async (presented) => {
    const count = wrong.get(presented.id) ?? 0;
    if (count >= 3) return undefined;
    const user = await verify(presented);
    wrong.set(presented.id, user === undefined ? count + 1 : 0);
    return user;
  };
});

/** Every seventh challenge comes without its nonce; of those whom the law looks at: a refused login or token is no Step A. */
export const everySeventhNonceMissing: Change = everyNth(7, (isMissing) =>
  onChallenge(when(both(not(hasToken), not(hasCredentials), isMissing), without('nonce'))),
);

/** A proxy keeps what was served at an address for the next few requests to it, whoever asks. */
export const cachingProxy: Change = ({ guard }) => {
  const kept = new Map<string, { readonly answer: Answer; uses: number }>();
  return {
    guard: {
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

/** The first use of a token is refused; from then on the server knows it. */
export const knownAfterItsFirstUse: Change = ({ tokens }) => {
  const asked = new Set<string>();
  return {
    tokens: {
      lookup(token, parts) {
        if (asked.has(token)) return tokens.lookup(token, parts);
        asked.add(token);
        return undefined;
      },
    },
  };
};

/** Tokens of sixteen bits, drawn at random. */
export const tokensOfSixteenBits: Change = () => ({ tokens: { draw: () => randomBytes(2).toString('hex') } });

/** Some addresses stand before the guard: whoever asks is served, whatever the request brings. */
const openAt = (...paths: readonly string[]): Change =>
  before((request, parts) => (paths.includes(pathOf(request)) ? resourceAt(pathOf(request), request, parts) : undefined));
/** By the last part of the requirement that it violates. */
export const openToEverybody = { vocabulary: openAt('/vocab'), collections: openAt('/people'), 'unknown-paths': openAt('', '/') };
