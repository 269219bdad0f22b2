import fc from 'fast-check';
import { madeUp } from '../../spec/index.js';
import { nonceOf, tokenOf } from '../expect/index.js';
import { seeing } from '../finding.js';
import { grantOf, holdsDocument, inWords, isGranted } from '../oracle/index.js';
import { guardedPaths, knownPaths, type Sending, type Subject, type Token, type Trial, Untested, Violation } from '../subject/index.js';
import type { HeaderLine, RequestPlan } from '../wire/index.js';
import { chosen, law, single } from './law.js';
import { credentialsOf } from './present-wrong.js';
import { workingToken } from './token.js';

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
const pairs = 5;

/** What is sent without credentials beside a plain read. */
const strangers = (
  name: string,
  headers: readonly HeaderLine[],
  paths: (subject: Subject) => readonly string[],
  what: (path: string) => string,
) =>
  chosen<string>('protection.headers', {
    name,
    examples: paths,
    async judge(trial, path) {
      trial.expectRefused(await trial.send({ path, headers }), `${what(path)} without credentials`);
    },
  });

export const protection = [
  chosen<string>('protection.collections', {
    name: 'beside-a-token',
    examples: (subject) => guardedPaths(subject).slice(0, 1),
    async judge(trial, path) {
      const token = await workingToken(trial);
      const pair = () => Promise.all([trial.use(token, { path }), trial.stranger({ path })]);
      for (const [, stranger] of await Promise.all(Array.from({ length: pairs }, pair)))
        trial.expectRefused(stranger, `${path} without credentials, beside a request with a token for it,`);
    },
  }),
  strangers(
    'handshake',
    handshake,
    (subject) => [...guardedPaths(subject).slice(0, 1), '/ws'],
    (path) => `a WebSocket handshake at ${path}`,
  ),
  strangers('of-a-browser', browser, guardedPaths, (path) => `what a browser sends for ${path}`),
  chosen<Sending>('protection.options', {
    examples: (subject) => {
      const [path = ''] = guardedPaths(subject);
      const odd = [{ path, headers: preflight }, { path, headers: overriding }, { path: `${path}?_method=GET` }];
      return [...guardedPaths(subject).map((each) => ({ path: each })), ...odd];
    },
    async judge(trial, sending) {
      const exchange = await trial.send({ ...sending, method: 'OPTIONS' });
      const answer = trial.answered(exchange);
      const grant = grantOf(answer, trial.protocol);
      if (grant === 'token' || (grant === 'served' && holdsDocument(answer)))
        throw new Violation('OPTIONS without credentials gets no token and no resource', inWords(exchange, trial.protocol));
    },
  }),
  chosen<string>('protection.options-challenged', {
    examples: (subject) => [...guardedPaths(subject), '/no-such-collection'],
    async judge(trial, path) {
      await plainIsChallenged(trial, path);
      trial.expectChallenged(await trial.send({ method: 'OPTIONS', path }), `OPTIONS ${path} without credentials`);
    },
  }),
  chosen<(typeof bodies)[number]>('protection.body-read', {
    examples: () => bodies,
    async judge(trial, { what, headers, body }, subject) {
      const token = await workingToken(trial);
      const [path] = guardedPaths(subject);
      const after = (ahead: RequestPlan) => trial.use(token, { path, ahead, freshConnection: true });
      const stranger: RequestPlan = { method: 'POST', target: `${subject.basePath}${path}`, headers: [] };
      if (!isGranted(await after(stranger), trial.protocol))
        throw new Untested('the server answers only the first of two requests that are sent together on one connection');
      const shown = trial.chain.length;
      const exchange = await after({ ...stranger, headers, body });
      if (exchange.answer === undefined || isGranted(exchange, trial.protocol)) return;
      // Where the token is refused without a body, too, the body is not the reason.
      const [end, again] = [trial.chain.length, await after(stranger)];
      if (!isGranted(again, trial.protocol)) throw new Untested('the token is also refused when no request with a body comes before it');
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
  if (trial.answered(exchange).status !== trial.subject.facts.challengeStatus || isGranted(exchange, trial.protocol))
    throw new Untested(seeing(`a plain read of ${path} is not challenged either`, ['challenge.status', 'protection.unknown-paths']));
  trial.chain.splice(before);
}

const unchanged = 'a POST that is refused changes nothing';
/** A collection may change by itself: so often it must change with a POST, and not with a read, before the POST is blamed. */
const rounds = 4;

/** A guard that answers and does not end the request lets the application go on with it. */
export const noEffect = single('protection.methods', {
  name: 'no-effect',
  afterOthers: true,
  async judge(trial) {
    const token = await workingToken(trial);
    const before = await read(trial, token);
    if (!before.equals(await read(trial, token))) throw new Untested('the collection changes at every read');
    const name = 'written without credentials';
    trial.chain.length = 0;
    await write(trial, name);
    const after = await read(trial, token);
    if (after.equals(before)) return;
    if (after.includes(name) && !before.includes(name)) throw new Violation(unchanged, 'the collection contains what the POST sent');
    for (let round = 0; round < rounds; round += 1) {
      trial.chain.length = 0;
      const atFirst = await read(trial, token);
      await trial.stranger();
      if (!(await read(trial, token)).equals(atFirst)) throw new Untested('the collection changes by itself');
      trial.chain.length = 0;
      await write(trial, name);
      if ((await read(trial, token)).equals(atFirst)) throw new Untested('the collection does not change after every POST');
    }
    throw new Violation(unchanged, 'the collection changed after each POST');
  },
});

async function read(trial: Trial, token: Token): Promise<Buffer> {
  const exchange = await trial.use(token);
  trial.expectServedAsControl(exchange);
  return trial.answered(exchange).body;
}

async function write(trial: Trial, name: string): Promise<void> {
  const headers: HeaderLine[] = [['Content-Type', trial.protocol.mediaType]];
  const body = JSON.stringify({ '@type': 'Thing', name, title: name, label: name });
  const exchange = await trial.send({ method: 'POST', headers, body }, 'challenge');
  trial.answered(exchange);
  if (isGranted(exchange, trial.protocol)) throw new Untested('a POST without credentials is served');
}

/** Laws about a deployment whose authentication is switched off. */
export const off = [
  law<string>('off.served', {
    randomCases: (runs) => runs,
    given: (subject) => fc.constantFrom(...knownPaths(subject)),
    examples: knownPaths,
    async judge(trial, path) {
      trial.expectServed(await trial.send({ path }, 'unguarded'), `GET ${path} without credentials`);
    },
  }),
  law<Sending>('off.no-challenge', {
    randomCases: (runs) => runs,
    given: (subject) => fc.record({ path: fc.constantFrom(...knownPaths(subject)) }),
    examples: (subject) => {
      const { headers, challenge, exchange } = subject.protocol;
      const nonce = [headers.nonce, madeUp(challenge.noncePattern)] as const;
      const credentials = [headers.authorization, credentialsOf(subject, { id: '1', paraphrase: 'x' })] as const;
      return [
        ...knownPaths(subject).map((path) => ({ path })),
        { headers: [[headers.token, madeUp(exchange.tokenPattern)]] },
        { headers: [nonce, credentials] },
      ];
    },
    async judge(trial, sending) {
      const answer = trial.answered(await trial.send(sending));
      const { headers, challenge } = trial.protocol;
      if (answer.status === challenge.status) throw new Violation('nothing is challenged', `${answer.status}`);
      if (nonceOf(answer, trial.protocol) !== undefined) throw new Violation('no nonce is issued', `a nonce in ${headers.nonce}`);
      if (tokenOf(answer, trial.protocol) !== undefined) throw new Violation('no token is issued', `a token in ${headers.token}`);
    },
  }),
];
