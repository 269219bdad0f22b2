import type { Allowance } from '../oracle/index.js';
import type { HeaderLine } from '../wire/index.js';
import { beforeChallenge, type Circumstance, details, masking } from './circumstance.js';
import { lacked } from './message.js';

const rejected = [400, 405, 411, 413, 415, 422];
const unsupported: Allowance = { granted: rejected, ...beforeChallenge(411, 413, 415) };
/** A server error gives nobody anything, and is no challenge. */
const unreadable: Allowance = { granted: [...rejected, 500], ...beforeChallenge(400, 411, 413, 415, 422, 500) };
/** Some servers want to know what a body is before they look at anything else. */
const unlabelled: Allowance = { granted: rejected, ...beforeChallenge(400, 411, 413, 415) };
/** Some servers do not do what a client expects of them. */
const unexpected: Allowance = { granted: [...rejected, 417], ...beforeChallenge(411, 413, 415, 417) };

interface Content {
  readonly body?: string;
  /** That of the protocol, by default; none where it is empty. */
  readonly type?: string;
  readonly header?: HeaderLine;
}

const content = (id: string, words: string, allows: Allowance, { body, type, header }: Content): Circumstance => ({
  id,
  words,
  change: (draft, { mediaType }) => ({
    ...draft,
    headers: [
      ...draft.headers,
      ...(type === '' ? [] : [['Content-Type', type ?? mediaType] as const]),
      ...(header === undefined ? [] : [header]),
    ],
    ...(body === undefined ? {} : { body }),
  }),
  allows,
});

/**
 * The same by POST, with nothing beside it: where a body is no surprise, it is no reason to reject the request below the application. On a
 * connection of its own, because a body that is left unread there disturbs what follows, of which `protection.body-read` tells.
 */
const posted = (...given: Parameters<typeof content>): Circumstance => {
  const { change, allows, ...circumstance } = content(...given);
  return masking({
    ...circumstance,
    allows: { ...allows, granted: [...(allows?.granted ?? []), ...lacked] },
    change: (draft, scene) => ({ ...change(draft, scene), method: 'POST', freshConnection: true }),
  });
};

/** A body, and what it is said to be. */
export const body = details('content', [
  content('small body', 'the request has a small body', unsupported, { body: '{}' }),
  content('text body', 'the request has a body of plain text', unsupported, { body: 'hello', type: 'text/plain' }),
  content('form body', 'the request has a form as its body', unsupported, { body: 'a=b', type: 'application/x-www-form-urlencoded' }),
  // Guards and parsers have limits of their own.
  ...[1, 64].map((kilobytes): Circumstance => {
    const large = JSON.stringify({ name: 'x'.repeat(1024 * kilobytes) });
    const words = `the request has a body of ${kilobytes} kB`;
    return { ...posted(`${kilobytes} kB body`, words, unsupported, { body: large }), askers: ['stranger'] };
  }),
  posted('malformed body', 'the body of the request is malformed JSON', unreadable, { body: '{"a":' }),
  posted('malformed json', 'the body of the request is malformed JSON', unreadable, { body: '{"a":', type: 'application/json' }),
  posted('multipart body', 'the body of the request is said to be multipart and has no parts', unreadable, {
    body: 'hello',
    type: 'multipart/form-data',
  }),
  posted('coded body', 'the body of the request is said to be gzip and is not', unreadable, {
    body: '{}',
    header: ['Content-Encoding', 'gzip'],
  }),
  content('unlabelled body', 'the request has a body and no content type', unlabelled, { body: 'hello', type: '' }),
  posted('chunked body', 'the request has a body and no Content-Length', unsupported, {
    body: '2\r\n{}\r\n0\r\n\r\n',
    header: ['Transfer-Encoding', 'chunked'],
  }),
  // Only a request with a body may ask for leave to send it (RFC 9110, section 10.1.1). The body comes without waiting for that.
  content('announced body', 'the request has a small body and "Expect: 100-continue"', unexpected, {
    body: '{}',
    header: ['Expect', '100-continue'],
  }),
  content('type without body', 'the request names a content type and has no body', unreadable, { type: 'application/json' }),
]);
