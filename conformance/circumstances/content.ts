import type { Allowance } from '../oracle/index.js';
import type { HeaderLine } from '../wire/index.js';
import { beforeChallenge, type Circumstance, headerLines, masking, type Scene } from './circumstance.js';
import { lacked } from './method.js';

const unsupported: Allowance = { granted: [400, 405, 411, 413, 415, 422], ...beforeChallenge(411, 413, 415) };
/** A server error gives nobody anything, and is no challenge. */
const unreadable: Allowance = { granted: [400, 405, 411, 413, 415, 422, 500], ...beforeChallenge(400, 411, 413, 415, 422, 500) };

/** Some servers want to know what a body is before they look at anything else. */
const unlabelled: Allowance = { granted: [400, 405, 411, 413, 415, 422], ...beforeChallenge(400, 411, 413, 415) };

/** Some servers do not do what a client expects of them. */
const unexpected: Allowance = { granted: [400, 405, 411, 413, 415, 417, 422], ...beforeChallenge(411, 413, 415, 417) };

const ofProtocol = ({ mediaType }: Scene): string => mediaType;

const content = (
  id: string,
  words: string,
  type: string | ((scene: Scene) => string),
  body: string | undefined,
  allows: Allowance,
  ...more: HeaderLine[]
): Circumstance => ({
  id,
  words,
  change: (draft, scene) => ({
    ...draft,
    headers: [...draft.headers, ['Content-Type', typeof type === 'string' ? type : type(scene)], ...more],
    ...(body === undefined ? {} : { body }),
  }),
  allows,
});

/**
 * The same by POST: where a body is no surprise, it is no reason to reject the request below the application. On a connection of its own, because a
 * body that is left unread there disturbs what follows, of which `protection.body-read` tells.
 */
const posted = ({ change, allows, ...circumstance }: Circumstance): Circumstance => ({
  ...circumstance,
  allows: { ...allows, granted: [...(allows?.granted ?? []), ...lacked] },
  change: (draft, scene) => ({ ...change(draft, scene), method: 'POST', freshConnection: true }),
});

const ofStrangers = (circumstance: Circumstance): Circumstance => ({ ...posted(circumstance), askers: ['stranger'] });

/** A body, and what it is said to be. */
export const body = headerLines('content', [
  content('small body', 'the request has a small body', ofProtocol, '{}', unsupported),
  content('text body', 'the request has a body of plain text', 'text/plain', 'hello', unsupported),
  content('form body', 'the request has a form as its body', 'application/x-www-form-urlencoded', 'a=b', unsupported),
  // Guards and parsers have limits of their own.
  ...[1, 64].map((kilobytes) =>
    masking(
      ofStrangers(
        content(
          `${kilobytes} kB body`,
          `the request has a body of ${kilobytes} kB`,
          ofProtocol,
          JSON.stringify({ name: 'x'.repeat(1024 * kilobytes) }),
          unsupported,
        ),
      ),
    ),
  ),
  masking(posted(content('malformed body', 'the body of the request is malformed JSON', ofProtocol, '{"a":', unreadable))),
  masking(posted(content('malformed json', 'the body of the request is malformed JSON', 'application/json', '{"a":', unreadable))),
  masking(
    posted(
      content(
        'multipart body',
        'the body of the request is said to be multipart and has no parts',
        'multipart/form-data',
        'hello',
        unreadable,
      ),
    ),
  ),
  masking(
    posted(
      content('coded body', 'the body of the request is said to be gzip and is not', ofProtocol, '{}', unreadable, [
        'Content-Encoding',
        'gzip',
      ]),
    ),
  ),
  {
    id: 'unlabelled body',
    words: 'the request has a body and no content type',
    change: (draft) => ({ ...draft, body: 'hello' }),
    allows: unlabelled,
  },
  masking(
    posted(
      content('chunked body', 'the request has a body and no Content-Length', ofProtocol, '2\r\n{}\r\n0\r\n\r\n', unsupported, [
        'Transfer-Encoding',
        'chunked',
      ]),
    ),
  ),
  // Only a request with a body may ask for leave to send it (RFC 9110, section 10.1.1). The body comes without waiting for that.
  content('announced body', 'the request has a small body and "Expect: 100-continue"', ofProtocol, '{}', unexpected, [
    'Expect',
    '100-continue',
  ]),
  content('type without body', 'the request names a content type and has no body', 'application/json', undefined, unreadable),
]);
