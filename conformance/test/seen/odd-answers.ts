import { header, pathOf } from '../../../fixtures/changes.js';
import type { Change } from '../../../fixtures/fixture.js';
import { readCredentials } from '../../../fixtures/logins.js';
import { open } from '../../../fixtures/opening.js';
import { type Answer, defaultUsers, type Incoming, type Parts } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';

const { headers } = spec.protocol;

const idOf = (request: Incoming, parts: Parts): string | undefined => readCredentials(request, parts)?.id;

/** A request that brings right or wrong credentials beside a nonce. */
export const isLogin = (request: Incoming) =>
  header(request, headers.nonce) !== undefined && header(request, headers.authorization) !== undefined;

/** What the guard decides, changed. */
export const instead =
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
