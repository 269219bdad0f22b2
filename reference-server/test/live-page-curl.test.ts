import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../fixtures/test/needs.js';
import { spec } from '../../spec/index.js';
// @ts-expect-error it is a module of the browser, which needs none of its objects
import { curlText } from '../control/page/browser/curl.js';
import { startReferenceServer } from '../index.js';
import { inStep, useLivePage, user } from './live-page.js';

const curl = needs('curl');
const program = needs('chromium');
const run = promisify(execFile);
const { headers, challenge } = spec.protocol;
const shells = ['sh', 'bash'];

/** What a shell would love to run. */
const hostile = "$(id>pwned) `id>pwned` $HOME \" ' '\\'' !! \\ ; & | >pwned ~ * [x] {a,b} %s".split(' ');
const nameOctets = fc.constantFrom(..."!#$%&'*+-.^_`|~aZ09");
const name = fc.array(nameOctets, { minLength: 1, maxLength: 12 }).map((octets) => `x${octets.join('')}`);
const ascii = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const octet = fc.oneof(
  ascii,
  fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)),
);
const value = fc
  .array(fc.oneof(fc.constantFrom(...hostile, ' ', '\t'), octet), { maxLength: 8 })
  .map((parts) => parts.join('').replace(/^[ \t]+|[ \t]+$/g, ''));
const pathPart = fc.oneof(
  fc.constantFrom(...hostile, '..', '.', '//', '?', '%zz', '%2e'),
  ascii.filter((each) => each !== '#'),
);
const target = fc.array(pathPart, { maxLength: 6 }).map((parts) => `/${parts.join('')}`);
const protocolLine = fc.tuple(fc.constantFrom(headers.token, headers.nonce, headers.authorization), value);
const lines = fc.array(fc.oneof(fc.tuple(name, value), protocolLine), { maxLength: 5 });

describe.skipIf(curl.skip)(`what is copied as curl${curl.note}`, () => {
  const seen: { req: IncomingMessage; body: string }[] = [];
  const server = createServer(async (req, res) => {
    req.setEncoding('latin1');
    let body = '';
    for await (const chunk of req) body += chunk;
    seen.push({ req, body });
    res.end();
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const pairs = ({ rawHeaders }: IncomingMessage) => rawHeaders.flatMap((each, at) => (at % 2 === 0 ? [[each, rawHeaders[at + 1]]] : []));

  test('sends the same request in a real shell, whatever names, values and paths a client chose', async () => {
    const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PROPFIND', 'M-SEARCH');
    await fc.assert(
      fc.asyncProperty(method, target, lines, fc.constantFrom(...shells), async (sent, path, given, shell) => {
        seen.splice(0);
        const exchange = { method: sent, target: path, headers: given, presented: { nonce: 'none', credentials: 'none', token: 'none' } };
        const script = curlText(exchange, {
          url: url(),
          protocol: { headers, scheme: challenge.scheme, challengeStatus: challenge.status },
        });
        await run(shell, ['-c', script]);
        expect(seen.map(({ req }) => [req.method, req.url])).toEqual([[sent, path]]);
        const secret = Object.values(headers).map((each) => each.toLowerCase());
        const expected = given.map(([each, text]) => [
          each,
          secret.includes(each.toLowerCase()) ? `<${text.replace(/[[\]]/g, '')}>` : text,
        ]);
        expect(pairs(seen[0]?.req as IncomingMessage).filter(([each = '']) => !/^(host|user-agent|connection)$/i.test(each))).toEqual(
          expected,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('credentials are those of whom they name, also where a token of another user had decided before', async () => {
    await using server = await startReferenceServer({ control: true, users: [user, { id: 2, paraphrase: 'other' }] });
    const authorization = `${challenge.scheme} ${btoa(`${user.id}:${user.paraphrase}`)}`;
    const given = { [headers.token]: await server.issueToken(2), [headers.authorization]: authorization };
    await (await fetch(`${server.url}/books`, { headers: given })).arrayBuffer();
    const exchange = server.recorded.at(-1);
    expect(exchange?.presented).toMatchObject({ credentials: 'unchecked', user: 2 });
    const script = curlText(exchange, { url: url(), protocol: { headers } });
    expect(script).toContain(`--user '${user.id}:'"$PARAPHRASE"`);
    expect(script).toContain(`'<paraphrase of user ${user.id}>'`);
  });

  describe.skipIf(program.skip)(`from the live page in Chromium${program.note}`, () => {
    const open = useLivePage(program.path);

    test('it is on the clipboard, with places for the secrets', async () => {
      const opened = await open();
      const { page, ask, server: service } = opened;
      const nonce = (await ask('/books')).headers.get(headers.nonce) as string;
      const login = `${challenge.scheme} ${btoa(`${user.id}:${user.paraphrase}`)}`;
      const given = await ask('/books?page=1', { [headers.nonce]: nonce, [headers.authorization]: login, Accept: "text/it's" });
      await given.arrayBuffer();
      await inStep(opened);
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      const script = (await page.getByLabel('What was copied').textContent()) as string;
      expect(script).not.toContain(user.paraphrase);
      expect(script).toContain(`--header '${headers.nonce}: '"$NONCE"`);
      const fresh = (await ask('/books')).headers.get(headers.nonce) as string;
      const filled = script.replace("NONCE='<nonce 1>'", `NONCE='${fresh}'`).replace(/'<paraphrase of user 1>'/, `'${user.paraphrase}'`);
      expect((await run('sh', ['-c', filled])).stdout).toMatch(/^HTTP\/1.1 200/);
      expect(service.recorded.at(-1)).toMatchObject({ target: '/api/books?page=1', step: 'B' });
      expect(service.recorded.at(-1)?.headers).toContainEqual(['Accept', "text/it's"]);
      await page.locator('#search').focus();
      await page.keyboard.press('Control+V');
      expect(await page.locator('#search').inputValue()).toContain('curl --include');
    });
  });
});
