import fc from 'fast-check';
import { grantOf, holdsDocument, inWords } from '../oracle/index.js';
import { guardedPaths, type Sending, type Trial, Untested, Violation } from '../subject/index.js';
import type { Exchange, HeaderLine, RequestPlan } from '../wire/index.js';
import { law } from './law.js';
import { workingToken } from './working-token.js';

const preflight: readonly HeaderLine[] = [
  ['Origin', 'https://elsewhere.example'],
  ['Access-Control-Request-Method', 'GET'],
];

/** A service that lets headers override the method after authentication would read OPTIONS as GET. */
const overriding: readonly HeaderLine[] = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) => [name, 'GET']);

/** What a browser sends. A page for people may be served before the guard is asked. */
const browser: readonly HeaderLine[] = [
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Language', 'en-GB,en;q=0.5'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Sec-Fetch-Dest', 'document'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Upgrade-Insecure-Requests', '1'],
];

/** A whole one (RFC 6455, section 4.1). Libraries answer it beside the application's routes, and so beside their guard. */
const handshake: readonly HeaderLine[] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'aHlkcmF1dGggY2hlY2tzLg=='],
];

const json: HeaderLine = ['Content-Type', 'application/json'];

/** Bodies that a server which refuses their request may leave unread. */
const bodies: readonly { readonly what: string; readonly headers: readonly HeaderLine[]; readonly body: string }[] = [
  { what: 'a body', headers: [json], body: '{"name":"x"}' },
  { what: 'a body in chunks', headers: [json, ['Transfer-Encoding', 'chunked']], body: 'c\r\n{"name":"x"}\r\n0\r\n\r\n' },
];

/** So many of each go out together. One pair may miss each other. */
const pairs = 3;

export const protection = [
  law<string>('protection.collections', {
    name: 'beside-a-token',
    given: (subject) => fc.constantFrom(...guardedPaths(subject)),
    examples: (subject) => guardedPaths(subject).slice(0, 1),
    randomCases: () => 0,
    async judge(trial, path) {
      const token = await workingToken(trial);
      const pair = () => Promise.all([trial.use(token, { path }), trial.stranger({ path })]);
      for (const [, stranger] of await Promise.all(Array.from({ length: pairs }, pair)))
        trial.expectRefused(stranger, `${path} without credentials, beside a request with a token for it,`);
    },
  }),
  law<string>('protection.headers', {
    name: 'handshake',
    given: (subject) => fc.constantFrom(...guardedPaths(subject)),
    examples: (subject) => [...guardedPaths(subject).slice(0, 1), '/ws'],
    randomCases: () => 0,
    async judge(trial, path) {
      trial.expectRefused(await trial.send({ path, headers: handshake }), `a WebSocket handshake at ${path} without credentials`);
    },
  }),
  law<string>('protection.headers', {
    name: 'of-a-browser',
    given: (subject) => fc.constantFrom(...guardedPaths(subject)),
    examples: guardedPaths,
    randomCases: () => 0,
    async judge(trial, path) {
      trial.expectRefused(await trial.send({ path, headers: browser }), `what a browser sends for ${path} without credentials`);
    },
  }),
  law<Sending>('protection.options', {
    given: (subject) => fc.record({ path: fc.constantFrom(...guardedPaths(subject)) }),
    examples: (subject) => {
      const [path = ''] = guardedPaths(subject);
      const odd = [{ path, headers: preflight }, { path, headers: overriding }, { path: `${path}?_method=GET` }];
      return [...guardedPaths(subject).map((each) => ({ path: each })), ...odd];
    },
    randomCases: () => 0,
    async judge(trial, sending) {
      const exchange = await trial.send({ ...sending, method: 'OPTIONS' });
      const answer = trial.answered(exchange);
      const grant = grantOf(answer, trial.protocol);
      if (grant === 'token' || (grant === 'served' && holdsDocument(answer)))
        throw new Violation('OPTIONS without credentials gets no token and no resource', inWords(exchange, trial.protocol));
    },
  }),
  law<string>('protection.options-challenged', {
    given: (subject) => fc.constantFrom(...guardedPaths(subject)),
    examples: (subject) => [...guardedPaths(subject), '/no-such-collection'],
    randomCases: () => 0,
    async judge(trial, path) {
      await plainIsChallenged(trial, path);
      trial.expectChallenged(await trial.send({ method: 'OPTIONS', path }), `OPTIONS ${path} without credentials`);
    },
  }),
  law<(typeof bodies)[number]>('protection.body-read', {
    given: () => fc.constantFrom(...bodies),
    examples: () => [...bodies],
    randomCases: () => 0,
    async judge(trial, { what, headers, body }, subject) {
      const token = await workingToken(trial);
      const [path] = guardedPaths(subject);
      const after = (ahead: RequestPlan) => trial.use(token, { path, ahead, freshConnection: true });
      const stranger: RequestPlan = { method: 'POST', target: `${trial.subject.basePath}${path}`, headers: [] };
      const control = await after(stranger);
      if (control.answer === undefined || grantOf(control.answer, trial.protocol) === 'nothing')
        throw new Untested('the server answers only the first of two requests that are sent together on one connection');
      const shown = trial.chain.length;
      const exchange = await after({ ...stranger, headers, body });
      const isServed = ({ answer }: Exchange) => answer !== undefined && grantOf(answer, trial.protocol) !== 'nothing';
      if (exchange.answer === undefined || isServed(exchange)) return;
      // Where the token is refused without a body, too, the body is not the reason.
      const [end, again] = [trial.chain.length, await after(stranger)];
      if (!isServed(again)) throw new Untested('the token is also refused when no request with a body comes before it');
      trial.chain.splice(end);
      trial.chain.splice(0, shown);
      trial.expectServed(exchange, `a valid token after a refused request with ${what}, on the same connection,`);
    },
  }),
];

/** A plain read of the address is challenged; otherwise what is added to it proves nothing. Asked once of each address. */
async function plainIsChallenged(trial: Trial, path: string): Promise<void> {
  if (guardedPaths(trial.subject).includes(path)) return;
  const before = trial.chain.length;
  const exchange = await trial.stranger({ path });
  const answer = trial.answered(exchange);
  if (grantOf(answer, trial.protocol) !== 'nothing' || answer.status !== trial.subject.facts.challengeStatus)
    throw new Untested(`a plain read of ${path} is not challenged either (see challenge.status and protection.unknown-paths)`);
  trial.chain.splice(before);
}
