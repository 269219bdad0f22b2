import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listening } from '../../../spec/test/listening.js';
import { scratchFile } from '../../../spec/test/scratch.js';
import { calling, callingUntil } from './calling.js';

const { port } = await listening(createServer().unref());

/** Starts it and hands over what it printed; ends it when the use is over. */
const serving = (words: readonly string[], use: (out: string) => Promise<void>, env: Record<string, string> = {}) =>
  callingUntil(['serve', ...words], use, env);

const logIn = async (url: string, collection: string, user: string) => {
  const nonce = (await fetch(`${url}/${collection}`)).headers.get('x-authentication') as string;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return fetch(`${url}/${collection}`, { headers: { 'x-authentication': nonce, authorization } });
};

test('prints one line of JSON, serves, and ends cleanly', async () => {
  const words = ['--json', '--clock', 'manual', '--user', '7:se:cret', '--collection', 'people', 'a b', '--base-path', '/v1'];
  let url = '';
  const ended = await serving(words, async (out) => {
    expect(out.split('\n')).toEqual([expect.stringContaining('{"url":"http://127.0.0.1:'), '']);
    const said = JSON.parse(out);
    expect(said).toEqual({
      url: expect.stringMatching(/\/v1$/),
      clock: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      collections: ['people', 'a b'],
      users: [7],
    });
    expect(await (await fetch(said.clock)).json()).toEqual({ now: expect.any(String) });
    expect((await logIn(said.url, 'people', '7:se:cret')).status).toBe(200);
    url = said.url;
  });
  expect(ended).toMatchObject({ code: 0, err: '' });
  await expect(fetch(url)).rejects.toThrow();
});

test('without users it says which are built in', async () => {
  await serving([], async (out) => {
    expect(out).toMatch(
      /^The reference server listens at http:\/\/127\.0\.0\.1:\d+\/api\nCollections: books, people\nUsers \(built in\): 1:/,
    );
    const [, url] =
      /^Judge it: hydrauth check (\S+) --collection books people --user '1:correct horse battery staple' '2:\S+' '3:.+'$/m.exec(out) ?? [];
    expect(url).toBe(/http\S+/.exec(out)?.[0]);
    expect((await logIn(/http\S+/.exec(out)?.[0] as string, 'books', '1:correct horse battery staple')).status).toBe(200);
  });
});

test('never prints the paraphrases it was given', async () => {
  await serving(['--user', '1:secret'], async (out) => expect(out).not.toContain('secret'));
});

test('users come from a file and from the environment too', async () => {
  await serving(['--users-file', scratchFile('users', '5:from file\n'), '--json'], async (out) =>
    expect(JSON.parse(out).users).toEqual([5]),
  );
  await serving(['--json'], async (out) => expect(JSON.parse(out).users).toEqual([8, 9]), { HYDRAUTH_USERS: '8:one\n9:two\n' });
});

test('authentication can be switched off', async () => {
  await serving(['--auth', 'off', '--json'], async (out) => expect((await fetch(`${JSON.parse(out).url}/books`)).status).toBe(200));
});

test.each([
  [['--fault', 'link-missing-on-exchange', 'sliding', '--variant', 'token-in-capitals', 'one-user']],
  [['--variant=token-in-capitals', '--fault=sliding', '--variant=one-user', '--fault=link-missing-on-exchange']],
])('several faults and variants add up, and are named: %j', async (words) => {
  await serving(words, async (out) => {
    for (const id of ['link-missing-on-exchange', 'sliding', 'token-in-capitals', 'one-user'])
      expect(out).toMatch(new RegExp(`^${id}: .*\\.$`, 'm'));
    expect(out).toContain('Users (built in): 7:x');
    const { headers } = await logIn(/http\S+/.exec(out)?.[0] as string, 'books', '7:x');
    expect(headers.get('x-authorization')).toMatch(/^[0-9A-F]+$/);
    expect(headers.get('link')).toBeNull();
  });
});

test.each([
  ['paraphrase-case-folded', '41:OPEN:SESAME', 200],
  ['paraphrase-to-its-first-colon', '41:open', 200],
  ['paraphrase-of-anybody', '41:other', 200],
  ['id-unknown-is-the-first', '99:open:sesame', 200],
  ['id-empty-is-anybody', ':other', 200],
  ['last-user-left-out', '42:other', 401],
  ['last-user-left-out', '41:open:sesame', 200],
])('a fault is about the users given: %s answers %s with %i', async (fault, credentials, status) => {
  await serving(['--json', '--user', '41:open:sesame', '42:other', '--fault', fault], async (out) => {
    expect((await logIn(JSON.parse(out).url, 'books', credentials)).status).toBe(status);
  });
});

const wrong: [string[], string][] = [
  [['--port', 'http'], '--port is http; a whole number from 0 to 65535 is allowed'],
  [['--port', '65536'], '--port is 65536'],
  [['--port=-1'], '--port is -1'],
  [['--port', String(port)], `port ${port} of 127.0.0.1 is in use; give another one`],
  [['--host', '203.0.113.7'], '203.0.113.7 is no address of this machine'],
  [['--user', 'secret'], 'a user has no colon; ID:PARAPHRASE with an integer as id is expected'],
  [['--user', 'secret:1'], 'the id of a user is no number'],
  [['--user', '01:secret'], 'the id of a user is no number'],
  [['--user', '1:'], 'user 1 has no paraphrase'],
  [['--user', '1:secret', '1:secret'], '--user: the id 1 stands twice'],
  [['--users-file', '/nowhere/users'], '--users-file /nowhere/users cannot be read (ENOENT)'],
  [['--collection', 'a/b'], '--collection: "a/b" is not allowed; a list of names without slash'],
  [['--base-path', 'api'], '--base-path: "api" is not allowed'],
  [['--auth', 'maybe'], '--auth is "maybe"; allowed: on, off'],
  [['--clock', 'sundial'], '--clock is "sundial"'],
  [['--store', 'disk'], '--store: "disk" is not allowed; memory, or a URL that begins with redis://'],
  [['--fault', 'sliding', 'slidng'], 'there is no fault "slidng". Near it is sliding; hydrauth faults lists all '],
  [['--fault', 'once-token'], 'there is no fault "once-token". Near it is token-once; hydrauth faults lists all '],
  [['--fault', 'no-such-id'], 'there is no fault "no-such-id". hydrauth faults lists all '],
  [['--variant', 'sliding'], 'there is no variant "sliding". hydrauth variants lists all '],
];

test.each(wrong)('%j ends with 2 and a sentence', async (words, sentence) => {
  const { code, out, err } = await calling(['serve', ...words]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(`hydrauth serve: ${sentence}`);
  expect(err).not.toContain('secret');
  expect(err).not.toContain('    at ');
});
