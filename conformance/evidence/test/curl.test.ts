import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../fixtures/test/needs.js';
import { spec } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { answer, exchanged } from '../../test/messages.js';
import type { Chain, HeaderLine, RequestPlan } from '../../wire/index.js';
import { createRedactor, curlScript } from '../index.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

const seen: Seen[] = [];
const issued = 'ffff0000ffff0000ffff0000ffff0000';
/** The values of a header of one request, by its name in small letters. */
const sent = (index: number, name: string) => {
  const { rawHeaders } = seen[index] as Seen;
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
};
/** Remembers every request, gives a token to whoever presents a nonce, and a new nonce to everybody else. */
const server = createServer(async (request, response) => {
  const { method = '', url = '', rawHeaders } = request;
  seen.push({ method, url, rawHeaders, body: (await buffer(request)).toString('latin1') });
  const challenged = seen.filter((_, index) => sent(index, 'x-authentication').length === 0);
  if (challenged.at(-1) !== seen.at(-1)) response.setHeader('X-Authorization', issued);
  else response.setHeader('x-AUTHENTICATION', `fresh-nonce-${challenged.length}`);
  response.end('X-Authorization: from the body\n');
});
const { url: origin, close } = await listening(server);

const { protocol } = spec;
const run = promisify(execFile);
const paraphrase = `it's "$HOME" & \`id\` ü`;
const curl = needs('curl');
const baseUrl = new URL(`${origin}/api`);
beforeEach(() => void seen.splice(0));
afterAll(close);

const basic = (id: string, secret: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
  `Basic ${Buffer.from(`${id}:${secret}`, encoding).toString('base64')}`;

const link = (plan: Partial<RequestPlan>, headers: HeaderLine[] = [], reason = 'OK') =>
  exchanged({ method: 'GET', target: '/api/drones', headers: [], ...plan }, answer(200, headers, '', reason));

/** The three steps, as a run recorded them. */
const nonce = '11111111-2222-3333-4444-555555555555';
const token = 'abcdef0123456789abcdef0123456789';
const login = (id = '7', secret = paraphrase): Chain => [
  link({}, [['x-authentication', nonce]], 'evil\n$(touch pwned)'),
  link({ headers: Object.entries({ 'X-Authentication': nonce, Authorization: basic(id, secret) }) }, [['X-Authorization', token]]),
];
const use = (value: string, plan: Partial<RequestPlan> = {}) => link({ headers: [['X-Authorization', value]], ...plan });

describe(`a curl script${curl.note}`, () => {
  const users = [
    { id: '3', paraphrase: 'unused secret' },
    { id: '7', paraphrase },
  ];
  const write = (chain: Chain, isIssued = (_: string) => false) => {
    const redactor = createRedactor(protocol);
    for (const user of users) redactor.user(user.id, user.paraphrase);
    redactor.token(token);
    return curlScript(chain, { baseUrl, users, protocol, redactor, issued: isIssued });
  };
  const repeat = async (chain: Chain, env: Record<string, string> = {}, isIssued?: (nonce: string) => boolean) => {
    const script = write(chain, isIssued);
    for (const secret of [paraphrase, 'unused secret', token, basic('7', paraphrase).slice(6)]) expect(script).not.toContain(secret);
    const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env['PATH'] ?? '', PARAPHRASE_2: paraphrase, ...env } });
    return { script, stdout };
  };
  test.skipIf(curl.skip)('takes nonce and token from the answers and the paraphrase from a variable', async () => {
    const { script, stdout } = await repeat([...login(), use(token)]);
    expect(script).toMatch(/^PARAPHRASE_2=\$\{PARAPHRASE_2:-'\.\.\.'\} {2}# the paraphrase of user 7$/m);
    expect(seen).toHaveLength(3);
    expect(sent(1, 'x-authentication')).toEqual(['fresh-nonce-1']);
    expect(sent(1, 'authorization')).toEqual([basic('7', paraphrase)]);
    expect(sent(2, 'x-authorization')).toEqual([issued]);
    expect(stdout).toContain('200 OK');
  });

  describe('without the challenges that issued its nonces', () => {
    const other = '66666666-7777-8888-9999-000000000000';
    const presents = (value: string) =>
      link({ headers: Object.entries({ 'x-authentication': value, Authorization: basic('7', paraphrase) }) });

    test.skipIf(curl.skip)('asks for new ones, one for each nonce', async () => {
      const { script } = await repeat([presents(nonce), presents(other), presents(nonce)], {}, () => true);
      expect(seen.map((_, index) => sent(index, 'x-authentication')[0])).toEqual([
        ...[undefined, 'fresh-nonce-1', undefined, 'fresh-nonce-2', 'fresh-nonce-1'],
      ]);
      expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/drones' });
      expect(sent(0, 'authorization')).toEqual([]);
      expect(script).not.toContain(nonce);
    });

    test.skipIf(curl.skip)('repeats a made-up nonce as it was, and one whose challenge is there from that', async () => {
      await repeat([presents(other)], {}, (value) => value !== other);
      expect(seen.map((_, index) => sent(index, 'x-authentication'))).toEqual([[other]]);
      seen.splice(0);
      await repeat(login(), {}, () => true);
      expect(seen).toHaveLength(2);
    });
  });

  test.skipIf(curl.skip).each([
    ['in capitals', token.toUpperCase(), issued.toUpperCase()],
    ['without its end', token.slice(0, -1), issued.slice(0, -1)],
    ['without its beginning', token.slice(1), issued.slice(1)],
    ['with one character changed', `${token.slice(0, 5)}x${token.slice(6)}`, `${issued.slice(0, 5)}x${issued.slice(6)}`],
    ['with more behind it', `${token}, ${token}`, `${issued}, ${issued}`],
    ['twice within another text', `a${token}b${token}`, `a${issued}b${issued}`],
    ['unknown', 'deadbeef', 'deadbeef'],
  ])('makes a token %s out of the one it got', async (_, value, expected) => {
    await repeat([...login(), use(value)]);
    expect(sent(2, 'x-authorization')).toEqual([expected]);
  });

  test.skipIf(curl.skip).each([
    ['cut', `${paraphrase.slice(0, -1)}`, 'utf8'],
    ['longer', `${paraphrase} `, 'utf8'],
    ['empty', '', 'utf8'],
    ['in another encoding', paraphrase, 'latin1'],
    ['of nobody', 'quite different', 'utf8'],
  ] as const)('repeats credentials with a paraphrase %s', async (_, secret, encoding) => {
    await repeat([link({ headers: [['authorization', basic('07', secret, encoding)]] })]);
    expect(sent(0, 'authorization')).toEqual([basic('07', secret, encoding)]);
  });

  test.skipIf(curl.skip)('keeps targets, methods, header spelling, empty values and bodies', async () => {
    const body = `{"a": "100% \\n '\u00e4'"}\n`;
    await repeat([
      use(token, {
        target: '//api/../%zz?[a]={b}&c="$(id)"',
        headers: Object.entries({ 'X-Odd': "a'b `id` $HOME", 'x-EMPTY': '', 'X-Latin': '\xe9' }),
      }),
      link({ method: 'PATCH', body }),
      link({ method: 'PUT' }),
      link({ method: 'HEAD', target: '/api/drones' }),
    ]);
    expect(seen[0]).toMatchObject({ method: 'GET', url: '//api/../%zz?[a]={b}&c="$(id)"' });
    expect(seen[0]?.rawHeaders).toEqual(expect.arrayContaining(['X-Odd', "a'b `id` $HOME", 'x-EMPTY', '', 'X-Latin', '\xe9']));
    expect(seen[0]?.rawHeaders).not.toContain('Accept');
    expect(seen[1]).toMatchObject({ method: 'PATCH', body: Buffer.from(body).toString('latin1') });
    expect(sent(1, 'content-type')).toEqual([]);
    expect([seen[2]?.method, sent(2, 'content-length')]).toEqual(['PUT', ['0']]);
    expect(seen[3]?.method).toBe('HEAD');
  });

  test.skipIf(curl.skip)('moves the clock over HTTP where it is told an address', async () => {
    const { script } = await repeat([{ advancedMs: 2_700_000 }, link({})], { CLOCK_URL: `${baseUrl.origin}/clock` });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/clock', body: '{"advanceMs": 2700000}' });
    expect(script).toContain('by 2700000 ms');
  });

  test('has no secret in it even where it cannot be made from what came before', () => {
    const script = write([use(token), link({ target: `/api/drones?key=${token}`, headers: [['X-Copy', paraphrase]] })]);
    expect(script).not.toContain(token);
    expect(script).not.toContain(paraphrase);
    expect(write([...login(), use(`${token.slice(16)}${token.slice(0, 9)}!`)])).not.toContain(token.slice(0, 9));
    expect(script).toMatch(/^VALUE_1=\$\{VALUE_1:-'\.\.\.'\} {2}# the value of X-Authorization, which holds a secret$/m);
  });

  test.skipIf(curl.skip)('runs nothing that stands in a header, a target or an answer', async () => {
    const text = fc.stringMatching(/^[\x21-\x7e\xa0-\xff]([\x20-\x7e\xa0-\xff]{0,12}[\x21-\x7e\xa0-\xff])?$/);
    await fc.assert(
      fc.asyncProperty(text, text, async (value, reason) => {
        seen.splice(0);
        const target = `/api/${value.replace(/[^\x21-\x7e]/g, '')}`;
        await repeat([link({ target, headers: [['X-Odd', value]] }, [['X-Authentication', value]], reason)]);
        expect([sent(0, 'x-odd'), seen[0]?.url]).toEqual([[value], target]);
      }),
      { numRuns: 25 },
    );
  });
});
