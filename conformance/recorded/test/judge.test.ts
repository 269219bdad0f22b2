import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { manualClock, startReferenceServer } from '../../../fixtures/reference-server.js';
import { needs, quietChromium } from '../../../fixtures/test/needs.js';
import { listening } from '../../../spec/test/listening.js';
import { scratch } from '../../../spec/test/scratch.js';
import { calling } from '../../cli/test/calling.js';
import type { Report } from '../../report/index.js';
import { judgeRecordings } from '../index.js';
import { type Entry, taped, writeHar } from './traffic.js';

const folder = scratch();
const at = (name: string) => join(folder, name);
const program = needs('chromium');
const users = [{ id: 3, paraphrase: 'blue whale' }];
const started = (...faults: readonly string[]) => startReferenceServer({ collections: ['books'], users, faults });

async function judged(...words: string[]) {
  const called = await calling(['judge', ...words, '--json', at('report.json')]);
  const report = JSON.parse(readFileSync(at('report.json'), 'utf8')) as Report;
  const of = (outcome: string) => report.requirements.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return { ...called, report, failed: [...of('fail'), ...of('warn')], passed: of('pass') };
}

const entry: Entry = {
  startedDateTime: '2030-01-01T00:00:00Z',
  time: 1,
  request: { method: 'GET', url: 'http://a.example/', headers: [] },
};
const har = (entries: unknown[]) => JSON.stringify({ log: { entries } });
const answered = { ...entry, response: { status: 429, headers: [{ name: 'x-authentication', value: 'one' }] } };
const undated = (startedDateTime: string) => ({ ...answered, startedDateTime });
const sent = (more: object) => har([{ ...answered, request: { ...entry.request, ...more } }]);
const came = (more: object) => har([{ ...answered, response: { ...answered.response, ...more } }]);
/** With a digest that fits. */
const forged = (own: object) => {
  const digest = createHash('sha256')
    .update(`${JSON.stringify(own)}\n${JSON.stringify(answered)}`)
    .digest('hex');
  return JSON.stringify({ log: { _hydrauth: { ...own, digest }, entries: [answered] } });
};

test.each<[string, string | Buffer, number, string]>([
  ['not JSON', 'GET / HTTP/1.1', 2, 'it is not a JSON object'],
  ['not HAR', '{"openapi": "3.1.0"}', 2, 'it has no log.entries'],
  ['broken', '{"log": {"entries": [{"request": nothing}]}}', 2, 'is not JSON'],
  ['broken beside a paraphrase', '{"log": {"entries": [{"request": "secret" \x1b}]}}', 2, 'is not JSON'],
  ['nested deeply', `{"log": {"_hydrauth": {"a": ${'['.repeat(8000)}${']'.repeat(8000)}}, "entries": []}}`, 2, 'nested deeper than 1000'],
  ['with an address that is none', har([{ ...answered, clientIPAddress: { toString: 1 } }]), 2, 'entry 1.clientIPAddress must be a text'],
  ['with a version that is none', came({ httpVersion: [{ toString: 1 }] }), 2, 'entry 1.response.httpVersion must be a text'],
  ['without requests', har([{ response: {} }]), 2, 'entry 1 has no request'],
  ['with other headers', sent({ headers: [{ name: 5 }] }), 2, 'entry 1.request.headers.0.name must be a text'],
  ['with a header that is no text', came({ headers: [{ name: 'a', value: { toString: 1 } }] }), 2, '0.value must be a text or a number or'],
  ['with an answer that is none', har([{ ...entry, response: 5 }]), 2, 'entry 1.response must be an object'],
  ['with a time without end', har([{ ...entry, time: 7 }]).replace(':7', ':1e999'), 2, 'entry 1.time must be a number'],
  ['deep', har([entry]).replace('[]', `[${'['.repeat(20_000)}${']'.repeat(20_000)}]`), 2, 'is nested deeper than 1000'],
  ['with very many entries', `{"log": {"entries": [${'{},'.repeat(1_000_001)}{}]}}`, 2, 'has more than 1000000 entries'],
  [
    'of a check, and was changed',
    `{"log": {"_hydrauth": {"check": 5, "digest": "0"}, "entries": [${JSON.stringify(answered)}]}}`,
    3,
    'was changed after hydrauth wrote it',
  ],
  ['forged, and says nonsense', forged({ leftOut: { toString: 1 } }), 3, 'was changed after hydrauth wrote it'],
  ['with what hydrauth says of it at the end', '{"log": {"entries": [], "_hydrauth": {"moves": [{}]}}}', 3, 'no service of this protocol'],
  ['with an address without end', sent({ url: `http://a.example/${'a'.repeat(100_000)}` }), 3, '1 entry too large to be read'],
  [
    'with a target without end',
    har([{ ...entry, _hydrauth: { sentAtMs: 0, target: `/${'a'.repeat(100_000)}` } }]),
    3,
    '1 entry too large to be read',
  ],
  ['with a header without end', came({ headers: [{ name: 'a', value: 'a'.repeat(100_000) }] }), 3, '1 entry too large to be read'],
  [
    'of our own, with an address without end',
    sent({ url: `http://a.example/${'a'.repeat(100_000)}` }).replace('{"log":{', '{"log":{"_hydrauth":{"digest":"0"},'),
    3,
    'no verdict',
  ],
  ['empty', '', 2, 'is empty'],
  ['with a bracket too many', '{}},{"log": {"entries": []}}', 2, 'octet 2 closes what nothing opened'],
  ['of no address', sent({ url: 'http://' }), 3, 'no verdict'],
  [
    'of two schemes',
    har(['http', 'https'].map((each) => ({ ...answered, request: { ...entry.request, url: `${each}://a.example/` } }))),
    3,
    '1 exchange with other addresses was left out',
  ],
  ['cut off', har([entry, entry]).slice(0, -20), 2, 'ends in the middle, after 1 whole entry'],
  ['with a status that is a text', came({ status: '200' }), 2, 'entry 1.response.status must be a number'],
  ['with null for headers and bodies', sent({ headers: null, postData: { text: null } }), 3, '1 entry without headers'],
  ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), 2, 'unpack it with gunzip'],
  ['in UTF-16', Buffer.from(har([entry]), 'utf16le'), 2, 'a HAR file is in UTF-8'],
  ['without entries', har([]), 3, 'no service of this protocol is in it'],
  ['about other services', har([{ ...entry, response: { status: 200, headers: [] } }]), 3, 'no service of this protocol is in it'],
  ['with negative times', har([{ ...answered, time: -5 }]), 3, 'with a negative duration'],
  ['before time began', har([answered, undated('1800-01-01T00:00:00Z')]), 3, 'The first without a time is entry 2 of '],
  ['without dates', har([undated('today')]), 3, 'startedDateTime must be a date such as 2026-01-31T12:00:00.000Z'],
  ['with bodies that are no text', came({ content: { text: '/////w==', encoding: 'base64' } }), 3, 'Too little could be tested'],
])('a file that is %s ends with a sentence and no stack', async (name, text, code, words) => {
  writeFileSync(at(`${name}.har`), text);
  const { out, err, ...called } = await calling(['judge', at(`${name}.har`)]);
  expect(called.code).toBe(code);
  expect((out + err).replaceAll(/\s+/g, ' ')).toContain(words);
  expect(err).not.toMatch(/^\s+at |secret|\x1b/m);
});

test.skipIf(program.skip)(
  `a HAR file of Chromium accuses a right service of nothing, and a broken one of its fault${program.note}`,
  async () => {
    const pages = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>elsewhere</title>'));
    await using elsewhere = await listening(pages);
    const browser = await chromium.launch({ executablePath: program.path, args: quietChromium });
    const recordOf = async (fault?: string) => {
      await using server = await (fault === undefined ? started() : started(fault));
      const file = at(`${fault ?? 'right'}.har`);
      const context = await browser.newContext({ recordHar: { path: file, content: 'embed' } });
      const page = await context.newPage();
      await page.goto(elsewhere.url);
      await page.evaluate(`(async () => {
      const get = async (headers) => { const answer = await fetch('${server.url}/books', { headers }); await answer.text(); return answer.headers; };
      const nonce = (await get({})).get('X-Authentication');
      const token = (await get({ 'X-Authentication': nonce, Authorization: 'Basic ' + btoa('3:blue whale') })).get('X-Authorization');
      for (let time = 0; time < 3; time += 1) await get({ 'X-Authorization': token });
    })()`);
      await context.close();
      return judged(file);
    };
    try {
      const right = await recordOf();
      expect(right).toMatchObject({ code: 3, failed: [] });
      expect(right.passed).toEqual(
        expect.arrayContaining([
          'challenge.status',
          'challenge.body',
          'exchange.body',
          'exchange.status',
          'token.reusable',
          'protection.collections',
          'client.token-alone',
        ]),
      );
      expect(right.out).toContain('1 exchange with other addresses was left out');
      expect((await recordOf('content-type-json-on-challenge')).failed).toEqual(['headers.content-type']);
      expect((await recordOf('token-once')).failed).toEqual(['token.reusable']);
    } finally {
      await browser.close();
    }
  },
);

test('a user in the base URL stands in no report', async () => {
  writeFileSync(at('user.har'), har([answered]));
  const { out, err, report } = await judged(at('user.har'), '--base-url', 'http://me:canary@a.example');
  expect([report.target.url, out + err]).toEqual(['http://a.example', expect.not.stringContaining('canary')]);
});

test('what tools do to traffic changes no outcome', async () => {
  await using server = await started();
  const { entries, get, login } = taped(server);
  const token = await login('3:blue whale');
  for (const path of ['/books', '/vocab', '/books?page=1']) await get({ 'X-Authorization': token }, path);
  const plain = await judged(writeHar(at('plain.har'), entries));
  expect(plain.failed).toEqual([]);
  const added = [':authority', 'user-agent', 'Postman-Token', 'Alt-Used'].map((name) => ({ name, value: 'a' }));
  const changed = entries.map(({ request, response, ...rest }) => ({
    ...rest,
    request: { ...request, headers: [...added, ...request.headers] },
    response: {
      ...response,
      headers: [...(response?.headers ?? []), { name: 'content-encoding', value: 'br' }, { name: 'set-cookie', value: 'a=1\nb=2' }],
      content: { text: Buffer.from(String(response?.content?.['text'])).toString('base64'), encoding: 'base64' },
    },
  })) as Entry[];
  const stranger = { ...entry, response: { status: 200, headers: [] } };
  const files = [writeHar(at('second.har'), changed.slice(2).reverse()), writeHar(at('first.har'), [stranger, ...changed.slice(0, 2)])];
  const other = await judged(...files);
  expect(other.failed).toEqual([]);
  // How many octets were sent, nobody knows any more.
  expect([...other.passed, 'headers.content-length'].sort()).toEqual([...plain.passed].sort());
  expect(other.out).toContain('1 exchange with other addresses was left out');
  // That no length was stated, everybody sees.
  const isOther = ({ name }: { name: string }) => name !== 'content-length';
  const unstated = changed.map((each) => ({ ...each, response: { ...each.response, headers: each.response?.headers.filter(isOther) } }));
  expect((await judged(writeHar(at('unstated.har'), unstated as Entry[]))).failed).toEqual(['headers.content-length']);
});

test('expiry is judged by the times of the exchanges, and where both clocks agree only', async () => {
  const clock = manualClock();
  await using server = await startReferenceServer({ clock, collections: ['books'], users });
  const { entries, get, login } = taped({ url: server.url, clock: { now: () => clock.now() } });
  const token = await login('3:blue whale');
  await get({ 'X-Authorization': token });
  clock.advance({ minutes: 46 });
  await get({ 'X-Authorization': token });
  expect((await judged(writeHar(at('late.har'), entries))).passed).toContain('expiry.refused-after');
  const last = entries.at(-1) as Entry;
  const served = { ...last, response: (entries[2] as Entry).response, startedDateTime: last.startedDateTime } as Entry;
  const unmoved = await judged(writeHar(at('doubtful.har'), [...entries.slice(0, -1), served]));
  expect([...unmoved.failed, ...unmoved.passed]).not.toContain('expiry.refused-after');
  const date = { name: 'date', value: new Date(last.startedDateTime).toUTCString() };
  const headers = [...(served.response?.headers ?? []).filter(({ name }) => name !== 'date'), date];
  const moved = { ...served, response: { ...served.response, headers } } as Entry;
  expect(await judged(writeHar(at('served.har'), [...entries.slice(0, -1), moved]))).toMatchObject({
    code: 1,
    failed: ['expiry.refused-after'],
  });
});

/** What a right service and a right client said to each other: two logins, with an expiry in between, and others who try the door. */
async function rightTraffic() {
  const clock = manualClock();
  await using server = await startReferenceServer({ clock, collections: ['books'], users });
  const { url } = server;
  const { entries, get, login, basic } = taped({ url, clock });
  const by = async (agent: string, acting: () => Promise<unknown>) => {
    const begin = entries.length;
    await acting();
    for (const { request } of entries.slice(begin)) request.headers.push({ name: 'User-Agent', value: agent });
    clock.advance({ seconds: 2 });
  };
  let token = '';
  const renew = async () => {
    const nonce = (await get({ 'X-Authorization': token })).get('X-Authentication') ?? '';
    token = (await get({ 'X-Authentication': nonce, Authorization: basic('3:blue whale') })).get('X-Authorization') ?? '';
  };
  await by('a client', async () => {
    token = await login('3:blue whale');
  });
  for (const _ of [1, 2]) await by('a client', () => get({ 'X-Authorization': token }));
  await by('a stranger', () => get());
  // As hydrauth proxy sends it on, with its token.
  const preflight = () => get({ 'X-Authorization': token, Origin: url, 'Access-Control-Request-Method': 'GET' }, '/books', 'OPTIONS');
  await by('a browser', preflight);
  clock.advance({ minutes: 46 });
  await by('a browser', preflight);
  await by('a client', renew);
  await by('a client', () => get({ 'X-Authorization': token }));
  await by('who forgot', () => login('3:no such'));
  await by('another client', () => login('3:blue whale'));
  return entries;
}

const secretHeaders = /^(authorization|x-authentication|x-authorization)$/i;
const changed = (entries: readonly Entry[], change: (line: Line, at: 'request' | 'response') => Line[]) =>
  entries.map(({ request, response, ...rest }) => ({
    ...rest,
    request: { ...request, headers: request.headers.flatMap((line) => change(line, 'request')) },
    response: { ...response, headers: response?.headers.flatMap((line) => change(line, 'response')) },
  })) as Entry[];
type Line = Entry['request']['headers'][number];

const setBack = (entries: readonly Entry[], from: number): Entry[] =>
  entries.map((each, at) =>
    at < from ? each : { ...each, startedDateTime: new Date(Date.parse(each.startedDateTime) - 10_000).toISOString() },
  );

test('what is missing from a file is held against nobody', async () => {
  const entries = await rightTraffic();
  const replaced = (names: RegExp, value: string) =>
    changed(entries, (line) => [names.test(line.name) ? { ...line, value: value || line.value.slice(0, 4).padEnd(9, '*') } : line]);
  const parts: Record<string, Entry[]> = {
    'Chromium, without sensitive data': changed(entries, (line) => (/^authorization$/i.test(line.name) ? [] : [line])),
    'without secret headers': changed(entries, (line) => (secretHeaders.test(line.name) ? [] : [line])),
    'without those of requests': changed(entries, (line, at) => (at === 'request' && secretHeaders.test(line.name) ? [] : [line])),
    'one word for nonces and tokens': replaced(secretHeaders, '(sensitive)'),
    'without tokens': changed(entries, (line) => (/^x-authorization$/i.test(line.name) ? [] : [line])),
    'without headers whose names begin with X': changed(entries, (line) => (/^x-/i.test(line.name) ? [] : [line])),
    ...Object.fromEntries(entries.map((_, at) => [`from entry ${at}`, entries.slice(at)])),
    ...Object.fromEntries(entries.map((_, at) => [`without entry ${at}`, entries.filter((__, each) => each !== at)])),
    ...Object.fromEntries(
      entries.flatMap((each, at) =>
        (['request', 'response'] as const).map((side) => [
          `null for the headers of ${side} ${at}`,
          entries.with(at, { ...each, [side]: { ...each[side], headers: null } } as unknown as Entry),
        ]),
      ),
    ),
    'every entry twice': entries.flatMap((each) => [each, each]),
    'blanks around values': changed(entries, (line) => [{ ...line, value: ` ${line.value}\t` }]),
    'base64 in capitals': entries.map((each) => {
      const text = Buffer.from(String(each.response?.content?.['text'] ?? '')).toString('base64');
      return { ...each, response: { ...each.response, content: { ...each.response?.content, text, encoding: 'BASE64' } } } as Entry;
    }),
    'bodies printed anew': entries.map((each) => {
      const text = String(each.response?.content?.['text']).replaceAll(',', ',\n  ');
      return { ...each, response: { ...each.response, content: { text } } } as Entry;
    }),
    ...Object.fromEntries(entries.map((_, at) => [`a clock set back before entry ${at}`, setBack(entries, at)])),
    ...Object.fromEntries([3, 5, 7].map((step) => [`without every ${step}th`, entries.filter((_, at) => (at + 1) % step !== 0)])),
  };
  for (const names of [secretHeaders, /^authorization$/i, /^x-authorization$/i, /^x-authentication$/i])
    for (const value of ['REDACTED', '[REDACTED]', 'Basic ***', ' ', 'xxxxxxxx', 'Basic 5f4dcc3b5aa765d6', ''])
      if (!value.includes('5f') || names.source === '^authorization$') parts[`${value} in ${names.source}`] = replaced(names, value);
  const accused = await Promise.all(
    Object.entries(parts).map(async ([name, part], index) => {
      const { requirements } = await judgeRecordings({
        files: [writeHar(at(`part ${index}.har`), part)],
        baseUrl: new URL('/api', part[0]?.request.url).href,
      });
      return requirements.flatMap(({ id, outcome }) => (['fail', 'warn'].includes(outcome) ? [`${name}: ${id}`] : []));
    }),
  );
  expect(accused.flat()).toEqual([]);
  const sanitised = await judged(writeHar(at('sanitised.har'), parts['Chromium, without sensitive data'] ?? []));
  expect(sanitised.passed).toEqual(expect.arrayContaining(['exchange.token-shape', 'token.reusable', 'expiry.refused-after']));
  expect(sanitised.report.requirements.find(({ id }) => id === 'challenge.status')).toMatchObject({
    outcome: 'untested',
    checks: [{ message: expect.stringContaining('Export HAR (with sensitive data)') }],
  });
});

test('traffic that was saved twice counts once', async () => {
  await using server = await started();
  const { entries, get, login } = taped(server);
  await login('3:blue whale');
  const first = writeHar(at('first.har'), [...entries]);
  await get({ 'X-Authorization': await login('3:blue whale') });
  const [once, twice] = [await judged(writeHar(at('whole.har'), entries)), await judged(first, at('whole.har'))];
  expect([twice.failed, twice.passed]).toEqual([once.failed, once.passed]);
  const bodiless = entries.map((each) => ({
    ...each,
    response: { ...(each.response as Required<Entry>['response']), content: { size: 40 } },
  }));
  const later = await judged(at('whole.har'), writeHar(at('later.har'), bodiless));
  expect([later.failed, later.passed]).toEqual([once.failed, once.passed]);
  const sooner = (text: string) => new Date(Date.parse(text) - 1).toISOString();
  const browser = entries.map((each) => ({ ...each, time: 3, startedDateTime: sooner(each.startedDateTime) }));
  expect((await judged(at('whole.har'), writeHar(at('browser.har'), browser))).failed).toEqual(once.failed);
  // In front of a proxy the service has another name.
  const named = (url: string) => url.replace(/^http:..[^/]*/, 'http://front.example');
  const before = entries.map((each) => ({ ...each, request: { ...each.request, url: named(each.request.url) } }));
  expect((await judged(at('whole.har'), writeHar(at('before.har'), before))).failed).toEqual(once.failed);
});

test('a token that opens nothing is told, wherever it is sent', async () => {
  const entries = await rightTraffic();
  const [challenge, login, read] = entries as [Entry, Entry, Entry];
  const refused = { ...read, response: challenge.response } as Entry;
  const orders = { ...refused, request: { ...read.request, url: `${read.request.url}/orders` } };
  const failed = async (...all: Entry[]) => (await judged(writeHar(at('never.har'), all))).failed;
  expect(await failed(challenge, login, refused)).toEqual(['token.sufficient']);
  expect(await failed(...entries.slice(0, 4), orders)).toEqual(['token.reusable']);
  // A page of what is there is there.
  const [page, pageRefused] = [read, refused].map((each) => ({ ...each, request: { ...each.request, url: `${each.request.url}?page=2` } }));
  expect(await failed(...entries.slice(0, 4), page as Entry, pageRefused as Entry)).toEqual(['token.reusable']);
  expect(await failed(...entries.slice(0, 4), page as Entry, page as Entry)).toEqual([]);
});

test('a login that is let in and gets no token is told, and a vocabulary that is not there', async () => {
  const entries = await rightTraffic();
  const isToken = ({ name }: { readonly name: string }) => /^x-authorization$/i.test(name);
  const tokenless = entries
    .slice(0, 2)
    .map((each) => ({ ...each, response: { ...each.response, headers: each.response?.headers.filter((line) => !isToken(line)) } }));
  const use = entries[2] as Entry;
  expect((await judged(writeHar(at('tokenless.har'), [...(tokenless as Entry[]), use]))).failed).toEqual(['exchange.token']);
  const vocabulary = askedLike(entries[2] as Required<Entry>)('GET', '', { status: 404 });
  vocabulary.request.url = vocabulary.request.url.replace(/books$/, 'vocab');
  expect((await judged(writeHar(at('vocabulary.har'), [...entries, vocabulary]))).failed).toEqual(['token.vocabulary']);
});

test('secrets that stand in addresses are not in reports', async () => {
  const entries = await rightTraffic();
  const [, , read] = entries as [Entry, Entry, Entry];
  const token = read.request.headers[0]?.value ?? '';
  const strangers = [`?access_token=${token}`, `?password=blue+whale`, `?password=blue%20whale`, `/${token}/file`].map((more) => ({
    ...read,
    request: { ...read.request, url: `${read.request.url}${more}`, headers: [] },
  }));
  const served = { ...read, request: { ...read.request, url: `${read.request.url}/${token}/file` } };
  const outputs = ['json', 'html', 'markdown', 'junit', 'earl'].flatMap((each) => [`--${each}`, at(`secrets.${each}`)]);
  const { out, failed } = await judged(writeHar(at('secrets.har'), [...entries, ...strangers, served]), ...outputs.slice(2), '--verbose');
  expect(failed).toEqual(expect.arrayContaining(['protection.queries', 'client.url-secrets']));
  const texts = outputs.flatMap((each, index) => (index < 2 || index % 2 === 0 ? [] : [readFileSync(each, 'utf8')]));
  for (const text of [out, readFileSync(at('report.json'), 'utf8'), ...texts])
    for (const secret of [token, 'blue whale', 'blue+whale', 'blue%20whale']) expect(text).not.toContain(secret);
});

test('a token from before the recording is no altered one, though all tokens of the service begin alike', async () => {
  const entries = await rightTraffic();
  const [challenge, , read] = entries as [Entry, Entry, Entry];
  const structured = changed(entries, (line) => [
    /^x-authorization$/i.test(line.name) ? { ...line, value: `${'a1'.repeat(50)}${line.value}` } : line,
  ]);
  const earlier = (value: string) => {
    const headers = [{ name: 'X-Authorization', value }, ...read.request.headers.slice(1)];
    return { ...challenge, request: { ...read.request, headers } };
  };
  const token = structured[2]?.request.headers[0]?.value ?? '';
  const failed = async (value: string) => (await judged(writeHar(at('structured.har'), [earlier(value), ...structured]))).failed;
  expect(await failed(`${'a1'.repeat(50)}${'0'.repeat(64)}`)).toEqual([]);
  for (const altered of [`Bearer ${token}`, token.slice(0, -9)]) expect(await failed(altered)).toEqual(['client.token-as-received']);
});

test('one nonce and one token do not show that others are new', async () => {
  await using server = await started();
  const { entries, login } = taped(server);
  await login('3:blue whale');
  const rows = ['challenge.nonce-newly-issued', 'exchange.token-unique'];
  const passed = async () => (await judged(writeHar(at('once.har'), entries))).passed.filter((id) => rows.includes(id));
  expect(await passed()).toEqual([]);
  await login('3:blue whale');
  expect(await passed()).toEqual(rows);
});

test('a token that goes to the WebSocket of its own service goes to no other origin', async () => {
  const entries = await rightTraffic();
  const { request, ...read } = entries[2] as Entry;
  const socket = { ...read, request: { ...request, url: request.url.replace(/^http/, 'ws') }, response: { status: 101, headers: [] } };
  expect((await judged(writeHar(at('socket.har'), [...entries, socket]))).failed).toEqual([]);
});

test('a token that goes to another origin is told, where it does not stand behind 64 KB of a body', async () => {
  const entries = await rightTraffic();
  const ofToken = ({ name }: { readonly name: string }) => /^x-authorization$/i.test(name);
  const used = entries.find(({ request: { headers } }) => headers.some(ofToken)) as Entry;
  const { headers } = used.request;
  const elsewhere = (text?: string) => {
    const sent = text === undefined ? { headers } : { headers: headers.filter((line) => !ofToken(line)), postData: { mimeType: '', text } };
    return { ...used, request: { ...used.request, url: 'http://other.example/people', ...sent } } as Entry;
  };
  const told = async (...more: Entry[]) => (await judged(writeHar(at('elsewhere.har'), [...entries, ...more]))).failed;
  const token = headers.find(ofToken)?.value ?? '';
  expect(await told(elsewhere())).toEqual(['client.link-secrets']);
  expect(await told(elsewhere(token))).toEqual(['client.link-secrets']);
  expect(await told(elsewhere(`${'x'.repeat(70_000)} ${token}`))).toEqual([]);
  // Nor is the service kept waiting by what another origin was asked.
  const later = (each: Entry, ms: number) => ({ ...each, startedDateTime: new Date(Date.parse(each.startedDateTime) + ms).toISOString() });
  const bare = { ...used, request: { ...used.request, headers: headers.filter((line) => !ofToken(line)) } };
  expect(await told(later(elsewhere(''), 500), later(bare, 1000))).toContain('client.token-reused');
});

test('it ends with its reason where it is interrupted', async () => {
  const interrupting = AbortSignal.abort(new Error('interrupted'));
  const files = [writeHar(at('interrupted.har'), await rightTraffic())];
  await expect(judgeRecordings({ files, signal: interrupting })).rejects.toThrow('interrupted');
});

test('many nonces that nobody gave are compared in seconds, and addresses are searched for no longer than that', async () => {
  const entries = await rightTraffic();
  const [first] = entries as [Entry];
  const nonce = (value: number) => ({ name: 'X-Authentication', value: `${value}`.padStart(12, '0').repeat(3) });
  const many = Array.from({ length: 8000 }, (_, at) => ({
    ...first,
    request: { ...first.request, headers: [nonce(at)] },
    response: {
      ...first.response,
      headers: [...(first.response?.headers ?? []).filter(({ name }) => !/^x-authentication$/i.test(name)), nonce(1e6 + at)],
    },
  }));
  const before = process.cpuUsage();
  await judged(writeHar(at('nonces.har'), many as Entry[]));
  expect(process.cpuUsage(before).user).toBeLessThan(30e6);
  const passed = async () => (await judged(writeHar(at('addresses.har'), entries))).passed.includes('client.url-secrets');
  expect(await passed()).toBe(true);
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 30_000));
  expect(await passed().finally(() => clock.mockRestore())).toBe(false);
});

test('an answer of a gateway is not held against the service, and one of the service is', async () => {
  const entries = await rightTraffic();
  const failing = (status: number) => entries.map((each, at) => (at === 2 ? { ...each, response: { status, headers: [] } } : each));
  for (const status of [502, 504, 522]) expect((await judged(writeHar(at('gateway.har'), failing(status)))).failed).toEqual([]);
  expect((await judged(writeHar(at('error.har'), failing(500)))).failed).toEqual(['token.sufficient']);
});

/** Another request in place of one that was recorded, and what it got. */
const askedLike =
  ({ request, response, ...read }: Required<Entry>) =>
  (method: string, path: string, more: object) =>
    ({ ...read, request: { ...request, method, url: `${request.url}${path}` }, response: { ...response, ...more } }) as Entry;

test('how changes, pictures, pages and WebSockets are answered, and that things are deleted, is held against nobody', async () => {
  const entries = await rightTraffic();
  const [, , read] = entries as [Entry, Entry, Required<Entry>];
  const { request, response } = read;
  const asked = askedLike(read);
  const without = (...names: string[]) => response.headers.filter(({ name }) => !names.includes(name.toLowerCase()));
  const typed = (value: string) => [...without('content-type'), { name: 'content-type', value }];
  const bare = without('content-type', 'content-length');
  const greeting = { size: 4, text: Buffer.from('\x81\x02hi', 'latin1').toString('base64'), encoding: 'base64' };
  const failed = async (...more: Entry[]) => (await judged(writeHar(at('changes.har'), [...entries, ...more]))).failed;
  expect(
    await failed(
      asked('POST', '', {
        status: 201,
        headers: [...bare, { name: 'content-length', value: '0' }],
        content: { size: 0, text: '' },
        bodySize: 0,
      }),
      asked('DELETE', '/1', { status: 204, headers: bare, content: { size: 0, text: '' }, bodySize: 0 }),
      asked('GET', '/1/cover', { headers: typed('image/png'), content: { size: 4, text: 'iVBORw==', encoding: 'base64' } }),
      asked('GET', '/events', { headers: typed('text/event-stream'), content: { size: 0 }, bodySize: 0 }),
      asked('GET', '/count', { headers: typed('text/plain'), content: { size: 2, text: '42' } }),
      asked('GET', '/null', { headers: typed('text/plain'), content: { size: 4, text: 'null' } }),
      asked('GET', '/file', { headers: [...typed('text/plain'), { name: 'Content-Disposition', value: 'attachment; filename=a.json' }] }),
      asked('GET', '/none', { status: 204, headers: bare, content: { size: 0, text: '' }, bodySize: 0 }),
      asked('GET', '/socket', { status: 101, headers: [{ name: 'upgrade', value: 'websocket' }], content: greeting }),
      asked('GET', '/socket', { status: 426 }),
      asked('GET', '/1', {}),
      asked('GET', '/1', { status: 404 }),
    ),
  ).toEqual([]);
  for (const type of ['application/json', 'text/html'])
    expect(await failed(asked('GET', '', { headers: typed(type) }))).toEqual(['headers.content-type']);
  const negotiated = asked('GET', '', { headers: typed('application/json') });
  negotiated.request.headers = [...request.headers, { name: 'Accept', value: 'application/json, text/plain, */*' }];
  expect(await failed(negotiated)).toEqual([]);
  // So browsers tell of a 304.
  const unchanged = asked('GET', '', { headers: bare });
  expect(await failed(unchanged)).toEqual(['headers.content-type', 'headers.content-length']);
  unchanged.request.headers = [...request.headers, { name: 'If-None-Match', value: '"1"' }];
  expect(await failed(unchanged)).toEqual([]);
  for (const status of [303, 400, 404, 408, 422]) expect(await failed(asked('GET', '', { status })), `${status}`).toEqual([]);
  expect(await failed(asked('GET', '', { status: 403 }))).toEqual(['token.reusable']);
  // A page that is not there is none of the address, and what needs a query may say so.
  const [page, search] = [asked('GET', '?page=9', { status: 404 }), asked('GET', '/search?q=a', {})];
  expect(await failed(page, asked('GET', '', { status: 403 }))).toEqual(['token.reusable']);
  expect(await failed(search, asked('GET', '/search', { status: 400 }))).toEqual([]);
  expect(await failed(search, asked('GET', '/search', { status: 401 }))).toEqual(['token.reusable']);
});

test('what a token opens after it logged out is held against nobody', async () => {
  const entries = await rightTraffic();
  const [challenge, , read] = entries as [Entry, Entry, Required<Entry>];
  const asked = askedLike(read);
  const refused = asked('GET', '', { ...challenge.response, headers: read.response.headers });
  const failed = async (...more: Entry[]) =>
    (await judged(writeHar(at('out.har'), [...entries.slice(0, 3), ...more, ...entries.slice(3)]))).failed;
  expect(await failed(asked('POST', '/logout', { status: 204 }), refused)).not.toContain('token.reusable');
  expect(await failed(asked('DELETE', '/session', { status: 204 }), refused)).not.toContain('token.reusable');
  // It was sent before, and is answered afterwards.
  const slow = { ...refused, time: 60_000 };
  expect(await failed(slow, asked('POST', '/logout', { status: 204 }))).not.toContain('token.reusable');
  expect(await failed(asked('POST', '/session', { status: 201 }), refused)).toContain('token.reusable');
});

test('a login that need not have worked, and did, is held to what is said of Step B', async () => {
  await using server = await started();
  const { entries, get, basic } = taped(server);
  const nonce = (await get()).get('X-Authentication') ?? '';
  const login = { 'X-Authentication': nonce, Authorization: basic('3:blue whale') };
  const token = (await get(login)).get('X-Authorization') ?? '';
  await get({ 'X-Authorization': token });
  const [challenge, came, use] = entries as [Entry, Required<Entry>, Entry];
  const limited = { ...came, response: { status: 429, headers: [] } };
  const wrong = { ...came, response: { ...came.response, status: 201 } };
  const failed = async (login: Entry) => (await judged(writeHar(at('retried.har'), [challenge, limited, login, use]))).failed;
  expect(await failed(came)).toEqual([]);
  expect(await failed(wrong)).toEqual(['exchange.status']);
});

test('what a browser answered by itself, or did not read to its end, is held against nobody', async () => {
  const entries = await rightTraffic();
  const read = entries[2] as Entry;
  const failedWith = async (more: object) => (await judged(writeHar(at('browser.har'), [...entries, { ...read, ...more }]))).failed;
  const request = { ...read.request, headers: [] };
  const byService = [{}, { _fetchType: 'Network Load' }, { cache: { beforeRequest: {}, afterRequest: {} } }];
  for (const mark of byService) expect(await failedWith({ request, ...mark })).toEqual(['protection.collections']);
  const answeredBy = [
    { _fromCache: 'disk' },
    { _fetchType: 'Memory Cache' },
    { cache: { afterRequest: { fetchCount: 2 } } },
    { cache: { afterRequest: null } },
    { _wasFulfilled: true },
    { response: { ...read.response, _fetchedViaServiceWorker: true } },
  ];
  for (const mark of answeredBy) expect(await failedWith({ request, ...mark })).toEqual([]);
  // Chromium goes on at https by itself, with all that the page wanted to send.
  const unsafe = { ...read.request, url: read.request.url.replace('127.0.0.1', 'localhost') };
  const internal = { status: 307, headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] };
  expect(await failedWith({ request: unsafe, response: { ...internal, headers: [] } })).toEqual(['client.link-secrets']);
  expect(await failedWith({ request: unsafe, response: internal })).toEqual([]);
  const withLength = (value: string) => read.response?.headers.map((line) => (line.name === 'content-length' ? { ...line, value } : line));
  const response = { ...read.response, headers: withLength('0'), content: { size: 0 }, bodySize: 0 };
  expect(await failedWith({ response })).toEqual(['jsonld.parses']);
  for (const mark of ['_error', '_failureText'])
    expect(await failedWith({ response: { ...response, [mark]: 'net::ERR_ABORTED' } })).toEqual([]);
  // A body that was not kept.
  for (const text of [undefined, null])
    expect(await failedWith({ response: { ...response, content: { size: 0, text }, bodySize: 40 } })).toEqual([]);
  // mitmproxy keeps nothing of what it streams, and says so nowhere.
  for (const text of [undefined, '', '{"@id":'])
    expect(await failedWith({ response: { ...response, headers: withLength('40'), content: { size: text?.length ?? 0, text } } })).toEqual(
      [],
    );
});

test('a refusal passes only beside what was granted, and the secrets of a file are not in reports', async () => {
  await using server = await started();
  const { entries, get, login, basic } = taped(server);
  await get();
  await login('3:no such');
  expect((await judged(writeHar(at('refused.har'), entries))).passed).not.toContain('exchange.wrong-paraphrase-refused');
  const token = await login('3:blue whale');
  await get({ 'X-Authorization': token });
  await login('3:no such');
  await get({ Authorization: basic('3:blue whale') });
  // What was given before the recording began, a service may write into its answers all the same.
  const [before, cookie, bearer] = ['f00dfacef00dfacef00d', 'session-1f2e3d', 'key-5a6b7c8d'];
  await get({ 'X-Authorization': before, Cookie: `s=${cookie}`, Authorization: `Bearer ${bearer}` }, `/books?${before}`);
  const { response } = entries.at(-1) as Entry;
  if (response?.content !== undefined) Object.assign(response, { content: { text: `${before} ${cookie} ${bearer}` }, status: 200 });
  const { passed, out, report } = await judged(writeHar(at('granted.har'), entries), '--verbose');
  expect(passed).toEqual(expect.arrayContaining(['exchange.wrong-paraphrase-refused', 'exchange.nonce-needed', 'protection.collections']));
  for (const secret of ['blue whale', basic('3:blue whale').slice(6), token, before, cookie, bearer])
    expect(out + JSON.stringify(report)).not.toContain(secret);
});

test.each([{ baseUrl: ['http://x/api'] }, { baseUrl: 'ftp://x/api' }, { baseUrl: 'x/api' }])(
  'a base URL that is none: $baseUrl',
  async (one) => {
    const judged = judgeRecordings({ files: [], baseUrl: one.baseUrl as string });
    await expect(judged).rejects.toThrow(/^baseUrl: .* is not allowed; an http or https URL is$/);
  },
);
