import { expect, test } from 'vitest';
import { spec } from '../../spec/index.js';
import { manualClock, type RecordedExchange, type RunningServer, startReferenceServer } from '../index.js';
import { aliceBasic, basic } from './support.js';

type Headers = Record<string, string>;
const people = (server: RunningServer, headers: Headers = {}, method = 'GET') => fetch(`${server.url}/people`, { headers, method });
const nonceOf = async (server: RunningServer) => (await people(server)).headers.get('x-authentication') as string;

type Brings = (server: RunningServer) => Headers | Promise<Headers>;
const advance = (server: RunningServer, by: object) => (server.clock as ReturnType<typeof manualClock>).advance(by);
const withNonce = async (server: RunningServer, authorization: string) => ({ 'x-authentication': await nonceOf(server), authorization });
const login =
  (authorization: string): Brings =>
  (server) =>
    withNonce(server, authorization);
const token: Brings = async (server) => ({ 'x-authorization': await server.issueToken() });
const endedToken: Brings = async (server) => {
  const value = await server.issueToken(2);
  await server.expire(value);
  advance(server, { seconds: 5 });
  return { 'x-authorization': value };
};
const spentNonce: Brings = async (server) => {
  const headers = await withNonce(server, aliceBasic);
  await people(server, headers);
  return headers;
};
const endedNonce: Brings = async (server) => {
  const headers = await withNonce(server, aliceBasic);
  advance(server, { days: 1 });
  return headers;
};
const nonceAlone: Brings = async (server) => ({ 'x-authentication': await nonceOf(server) });
const wrongNonce: Brings = () => ({ 'x-authentication': 'abc', authorization: aliceBasic });
const allWrong: Brings = async (server) => ({ ...(await withNonce(server, basic(1, 'x'))), 'x-authorization': 'abc' });
const preflight: Brings = () => ({ origin: 'http://app.example', 'access-control-request-method': 'GET' });

const rules = { A: 2, B: 3, C: 4, refused: 2, other: 1 };
const good = 'the token of user 1 is valid, 45 minutes left.';
const [noToken, noNonce] = ['token.sufficient', 'exchange.nonce-needed'];
const neither = 'Challenged: it carries neither a token nor a nonce with credentials.';

/** What a request brings, how it is told, and the requirements of the conditions that do not hold. */
test.each<[string, Brings, keyof typeof rules, string, string[], string?]>([
  ['nothing', () => ({}), 'A', neither, [noToken, noNonce]],
  ['a right login', login(aliceBasic), 'B', 'A token is given: nonce and credentials of user 1 are good.', [noToken]],
  ['a valid token', token, 'C', `Served: ${good}`, []],
  ['a valid token, for what is not there', token, 'C', `Let in, but this resource can only be read, with GET or HEAD: ${good}`, [], 'PUT'],
  ['a token that ended', endedToken, 'refused', 'the token ended 5 seconds before.', ['expiry.refused-after', noNonce]],
  ['an unknown token', () => ({ 'x-authorization': 'abc' }), 'refused', 'the token is unknown.', ['token.unknown-refused', noNonce]],
  ['an unknown nonce', wrongNonce, 'refused', 'the nonce is unknown.', [noToken, 'exchange.wrong-nonce-refused']],
  ['a spent nonce', spentNonce, 'refused', 'the nonce was spent by exchange 2.', [noToken, 'challenge.nonce-single-use']],
  ['a nonce that ended', endedNonce, 'refused', 'the nonce has expired.', [noToken, 'challenge.nonce-lifetime']],
  ['a nonce alone', nonceAlone, 'refused', 'it carries no credentials.', [noToken, 'exchange.credentials-needed']],
  ['credentials alone', () => ({ authorization: aliceBasic }), 'refused', 'it carries no nonce.', [noToken, noNonce]],
  ['no base64', login('Basic %%%'), 'refused', 'the credentials are malformed.', [noToken, 'exchange.malformed-credentials-refused']],
  ['an id that nobody has', login(basic(99, 'x')), 'refused', 'nobody has this id.', [noToken, 'exchange.unknown-user-refused']],
  ['a wrong paraphrase', login(basic(1, 'x')), 'refused', 'the paraphrase is wrong.', [noToken, 'exchange.wrong-paraphrase-refused']],
  [
    'an unknown token beside a wrong paraphrase',
    allWrong,
    'refused',
    'the token is unknown, and the paraphrase is wrong.',
    ['token.unknown-refused', 'exchange.wrong-paraphrase-refused'],
  ],
  ['a preflight', preflight, 'other', 'Not protected: a CORS preflight is not protected.', ['protection.preflight'], 'OPTIONS'],
])('a request with %s', async (_, brings, step, said, fails, method) => {
  await using server = await startReferenceServer({ clock: manualClock() });
  await people(server, await brings(server), method);
  const exchange = server.recorded.at(-1) as RecordedExchange;
  expect(exchange).toMatchObject({ step, rule: rules[step], reason: step === 'refused' ? `Refused: ${said}` : said });
  const unheld = exchange.because.filter(({ held }) => !held).flatMap(({ requirements }) => requirements);
  expect(unheld).toEqual(fails);
  for (const id of exchange.because.flatMap(({ requirements }) => requirements)) expect(known).toContain(id);
});

const known = [...spec.catalogue.requirements, ...spec.catalogue.open].map(({ id }) => id);

test('with authentication off nothing is protected, and without tokens credentials serve', async () => {
  await using off = await startReferenceServer({ auth: 'off' });
  await people(off);
  expect(off.recorded[0]).toMatchObject({ step: 'other', rule: 1, reason: 'Not protected: authentication is switched off.' });
  await using noTokens = await startReferenceServer({ tokens: 'off' });
  await people(noTokens, await withNonce(noTokens, aliceBasic));
  expect(noTokens.recorded[1]).toMatchObject({ step: 'other', rule: 3, reason: 'Served: nonce and credentials of user 1 are good.' });
  await people(noTokens, await withNonce(noTokens, aliceBasic), 'PUT');
  expect(noTokens.recorded[3]?.reason).toMatch(
    /^Let in, but this resource can only be read.*: nonce and credentials of user 1 are good\.$/,
  );
});

test('a secret is shown as what it is, wherever it stands', async () => {
  await using server = await startReferenceServer();
  const token = await server.issueToken();
  const nonce = await nonceOf(server);
  await fetch(`${server.url}/people?token=${token}`, {
    headers: { 'x-authorization': token, 'x-authentication': nonce, authorization: aliceBasic, cookie: 'a=1', referer: `/?${token}` },
  });
  const exchange = server.recorded[1] as RecordedExchange;
  expect(exchange.target).toBe('/api/people?token=[token 1]');
  const lines = Object.fromEntries(exchange.headers);
  expect(lines).toMatchObject({ 'x-authorization': '[token 1]', 'x-authentication': '[nonce 1]', cookie: '[redacted]' });
  expect(lines['authorization']).toBe('Basic [credentials of user 1]');
  expect(JSON.stringify(server.recorded)).not.toMatch(new RegExp([token, nonce, aliceBasic.slice(6)].join('|')));
});

test.each([
  ['?t=xTOKENx', {}, '/api/people?t=x[token 1]x'],
  ['?t=TOKEN.TOKEN', {}, '/api/people?t=[token 1].[token 1]'],
  ['?t=CAPITALS', {}, '/api/people?t=[token 1]'],
  ['?t=%0aCODED%2fTOKEN&u=%61bcdefgh', {}, '/api/people?t=%0a[token 1]%2f[token 1]&u=%61bcdefgh'],
  ['?who=MTpjb3JyZWN0IGhvcnNlIGJhdHRlcnkgc3RhcGxl', {}, '/api/people?who=[credentials of user 1]'],
  ['?p=correct%20horse%20battery%20staple', {}, '/api/people?p=[paraphrase of user 1]'],
  ['?p=(added)+at%20r%c3%bcn%20t%69me!', {}, '/api/people?p=[paraphrase of user 9]'],
  ['?p=%28added%29%20at%20r%C3%BCn%20time%21', {}, '/api/people?p=[paraphrase of user 9]'],
  ['?p=(added)+at%20r%c3%bcn%20time!+again', {}, '/api/people?p=[paraphrase of user 10]'],
  ['', { 'x-other': Buffer.from('(added) at rün time!').toString('latin1') }, '[paraphrase of user 9]'],
  ['', { 'x-forwarded-authorization': aliceBasic }, '[redacted]'],
  ['', { 'proxy-authorization': aliceBasic }, '[redacted]'],
  ['', { 'x-forwarded-x-authorization': 'TOKEN' }, '[redacted]'],
  ['', { 'x-other': 'key=TOKEN0' }, 'key=[token 1]0'],
])('nor is it where somebody put it: %s %j', async (query, headers, shown) => {
  await using server = await startReferenceServer();
  const token = await server.issueToken();
  await server.addUser({ id: 9, paraphrase: '(added) at rün time!' });
  await server.addUser({ id: 10, paraphrase: '(added) at rün time! again' });
  const coded = Buffer.from(token).toString('hex').replace(/../g, '%$&');
  const filled = (text: string) => text.replaceAll('TOKEN', token).replaceAll('CAPITALS', token.toUpperCase()).replaceAll('CODED', coded);
  await fetch(`${server.url}/people${filled(query)}`, { headers: JSON.parse(filled(JSON.stringify(headers))) });
  const { target, headers: lines } = server.recorded[0] as RecordedExchange;
  expect([target, ...lines.map(([, value]) => value)]).toContain(shown);
  expect(JSON.stringify(server.recorded)).not.toMatch(new RegExp([token, aliceBasic.slice(6)].join('|'), 'i'));
});

test('connections and tokens have numbers', async () => {
  await using server = await startReferenceServer();
  const tokens = [await server.issueToken(1), await server.issueToken(2)];
  for (const token of tokens) await people(server, { 'x-authorization': token, connection: 'close' });
  expect(server.recorded.map(({ connection, presented }) => [connection, presented.tokenNumber, presented.user])).toEqual([
    [1, 1, 1],
    [2, 2, 2],
  ]);
});

test('a long body is shown in part, and its length in full', async () => {
  await using server = await startReferenceServer({
    collections: ['people', ...Array.from({ length: 300 }, (_, at) => `collection-${at}`)],
  });
  await fetch(server.url, { headers: { 'x-authorization': await server.issueToken() } });
  const { body, bodyOctets } = server.recorded[0] as RecordedExchange;
  expect(body.length).toBe(4096);
  expect(bodyOctets).toBeGreaterThan(4096);
});

test('a server that records nothing says so when it is asked', async () => {
  await using server = await startReferenceServer({ recordLast: 0 });
  expect(server.recorded).toEqual([]);
  await expect(server.waitFor()).rejects.toThrow('recordLast: 0 is not allowed for this');
  await expect(startReferenceServer({ recordLast: 0, control: true })).rejects.toThrow('recordLast: 0 is not allowed beside control');
  await expect(startReferenceServer({ page: true, control: false })).rejects.toThrow('control: false is not allowed beside page');
});
