import { expect, test } from 'vitest';
import { spec } from '../../spec/index.js';
import { manualClock, type RecordedExchange, type RunningServer, startReferenceServer } from '../index.js';
import { aliceBasic, basic } from './support.js';

type Headers = Record<string, string>;
const people = (server: RunningServer, headers: Headers = {}, method = 'GET') => fetch(`${server.url}/people`, { headers, method });
const nonceOf = async (server: RunningServer) => (await people(server)).headers.get('x-authentication') as string;

interface Case {
  readonly brings: (server: RunningServer) => Promise<Headers>;
  readonly says: Partial<RecordedExchange>;
  /** The conditions that do not hold, by their requirements. */
  readonly fails: readonly string[];
  readonly method?: string;
}

const withNonce = async (server: RunningServer, authorization: string) => ({ 'x-authentication': await nonceOf(server), authorization });

const cases: Readonly<Record<string, Case>> = {
  nothing: {
    brings: async () => ({}),
    says: { step: 'A', rule: 2, reason: 'Challenged: it carries neither a token nor a nonce with credentials.' },
    fails: ['token.sufficient', 'exchange.nonce-needed'],
  },
  'a nonce and right credentials': {
    brings: (server) => withNonce(server, aliceBasic),
    says: { step: 'B', rule: 3, reason: 'A token is given: nonce and credentials of user 1 are good.' },
    fails: ['token.sufficient'],
  },
  'a valid token': {
    brings: async (server) => ({ 'x-authorization': await server.issueToken() }),
    says: { step: 'C', rule: 4, reason: 'Served: the token of user 1 is valid, 45 minutes left.' },
    fails: [],
  },
  'a token that ended': {
    async brings(server) {
      const token = await server.issueToken(2);
      await server.expire(token);
      (server.clock as ReturnType<typeof manualClock>).advance({ seconds: 5 });
      return { 'x-authorization': token };
    },
    says: { step: 'refused', rule: 2, reason: 'Refused: the token ended 5 seconds before.' },
    fails: ['expiry.refused-after', 'exchange.nonce-needed'],
  },
  'an unknown token': {
    brings: async () => ({ 'x-authorization': 'abc' }),
    says: { step: 'refused', rule: 2, reason: 'Refused: the token is unknown.' },
    fails: ['token.unknown-refused', 'exchange.nonce-needed'],
  },
  'a valid token, for what is not there': {
    brings: async (server) => ({ 'x-authorization': await server.issueToken() }),
    method: 'PUT',
    says: {
      step: 'C',
      reason: 'Let in, but this resource can only be read, with GET or HEAD: the token of user 1 is valid, 45 minutes left.',
    },
    fails: [],
  },
  'an unknown nonce': {
    brings: async () => ({ 'x-authentication': 'abc', authorization: aliceBasic }),
    says: { step: 'refused', reason: 'Refused: the nonce is unknown.' },
    fails: ['token.sufficient', 'exchange.wrong-nonce-refused'],
  },
  'a spent nonce': {
    async brings(server) {
      const headers = await withNonce(server, aliceBasic);
      await people(server, headers);
      return headers;
    },
    says: { step: 'refused', reason: 'Refused: the nonce was spent by exchange 2.' },
    fails: ['token.sufficient', 'challenge.nonce-single-use'],
  },
  'a nonce that ended': {
    async brings(server) {
      const headers = await withNonce(server, aliceBasic);
      (server.clock as ReturnType<typeof manualClock>).advance({ days: 1 });
      return headers;
    },
    says: { step: 'refused', reason: 'Refused: the nonce has expired.' },
    fails: ['token.sufficient', 'challenge.nonce-lifetime'],
  },
  'a nonce alone': {
    brings: async (server) => ({ 'x-authentication': await nonceOf(server) }),
    says: { step: 'refused', reason: 'Refused: it carries no credentials.' },
    fails: ['token.sufficient', 'exchange.credentials-needed'],
  },
  'credentials alone': {
    brings: async () => ({ authorization: aliceBasic }),
    says: { step: 'refused', reason: 'Refused: it carries no nonce.' },
    fails: ['token.sufficient', 'exchange.nonce-needed'],
  },
  'malformed credentials': {
    brings: (server) => withNonce(server, 'Basic %%%'),
    says: { step: 'refused', reason: 'Refused: the credentials are malformed.' },
    fails: ['token.sufficient', 'exchange.malformed-credentials-refused'],
  },
  'an id that nobody has': {
    brings: (server) => withNonce(server, basic(99, 'x')),
    says: { step: 'refused', reason: 'Refused: nobody has this id.' },
    fails: ['token.sufficient', 'exchange.unknown-user-refused'],
  },
  'a wrong paraphrase': {
    brings: (server) => withNonce(server, basic(1, 'x')),
    says: { step: 'refused', reason: 'Refused: the paraphrase is wrong.' },
    fails: ['token.sufficient', 'exchange.wrong-paraphrase-refused'],
  },
  'an unknown token beside a wrong paraphrase': {
    brings: async (server) => ({ ...(await withNonce(server, basic(1, 'x'))), 'x-authorization': 'abc' }),
    says: { step: 'refused', reason: 'Refused: the token is unknown, and the paraphrase is wrong.' },
    fails: ['token.unknown-refused', 'exchange.wrong-paraphrase-refused'],
  },
  'a preflight': {
    brings: async () => ({ origin: 'http://app.example', 'access-control-request-method': 'GET' }),
    method: 'OPTIONS',
    says: { step: 'other', rule: 1, reason: 'Not protected: a CORS preflight is not protected.' },
    fails: ['protection.preflight'],
  },
};

test.each(Object.entries(cases))('a request with %s', async (_, { brings, says, fails, method }) => {
  await using server = await startReferenceServer({ clock: manualClock() });
  await people(server, await brings(server), method);
  const exchange = server.recorded.at(-1) as RecordedExchange;
  expect(exchange).toMatchObject(says);
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
  ['?who=MTpjb3JyZWN0IGhvcnNlIGJhdHRlcnkgc3RhcGxl', {}, '/api/people?who=[credentials of user 1]'],
  ['?p=correct%20horse%20battery%20staple', {}, '/api/people?p=[paraphrase of user 1]'],
  ['?p=added%20at%20run%20time', {}, '/api/people?p=[paraphrase of user 9]'],
  ['', { 'x-forwarded-authorization': aliceBasic }, '[redacted]'],
  ['', { 'proxy-authorization': aliceBasic }, '[redacted]'],
  ['', { 'x-forwarded-x-authorization': 'TOKEN' }, '[redacted]'],
  ['', { 'x-other': 'key=TOKEN0' }, 'key=[token 1]0'],
])('nor is it where somebody put it: %s %j', async (query, headers, shown) => {
  await using server = await startReferenceServer();
  const token = await server.issueToken();
  await server.addUser({ id: 9, paraphrase: 'added at run time' });
  const filled = (text: string) => text.replaceAll('TOKEN', token);
  await fetch(`${server.url}/people${filled(query)}`, { headers: JSON.parse(filled(JSON.stringify(headers))) });
  const { target, headers: lines } = server.recorded[0] as RecordedExchange;
  expect([target, ...lines.map(([, value]) => value)]).toContain(shown);
  expect(JSON.stringify(server.recorded)).not.toMatch(new RegExp([token, aliceBasic.slice(6)].join('|')));
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
