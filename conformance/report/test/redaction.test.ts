import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile, spec } from '../../../spec/index.js';
import { createRedactor, curlScript, recordChain } from '../../evidence/index.js';
import { shownOctets } from '../../expect/index.js';
import { requestWords } from '../../run/remarks.js';
import { fromTarget } from '../../wire/index.js';
import * as room from '../index.js';
import { cleanBut, exchange, finding, input } from './samples.js';

const { compareReports, jsonReport, makeReport, serverTarget, terminalReport } = room;
const paraphrase = `s3cr:et "wörd" <&>'|`;
const short = 'q7';
const token = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7';
const octets = (text: string) => Buffer.from(text);
const base64 = (text: string) => octets(text).toString('base64');
const hexadecimal = (text: string, between: string) => (octets(text).toString('hex').match(/../g) ?? []).join(between);
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const every = (text: string, write: (code: number) => string) => [...text].map((each) => write(each.codePointAt(0) as number)).join('');
const jsonIn = (text: string) => JSON.stringify(text).slice(1, -1);
const pair = base64(`1:${paraphrase}`);

/** The forms that SECURITY.md promises to find. */
const forms: readonly (readonly [name: string, write: (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['upper case', (secret) => secret.toUpperCase()],
  ['accents as characters of their own', (secret) => secret.normalize('NFD')],
  ['with letters around it', (secret) => `abc${secret}xyz`],
  ['JSON', jsonIn],
  ['JSON within JSON', (secret) => jsonIn(jsonIn(secret))],
  ['\\u escapes', (secret) => every(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`)],
  ['\\x escapes', (secret) => `\\x${hexadecimal(secret, '\\x')}`],
  ['HTML', (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ['numeric HTML entities', (secret) => every(secret, (code) => `&#${code};`)],
  ['hexadecimal HTML entities', (secret) => every(secret, (code) => `&#x${code.toString(16)};`)],
  ['HTML entities by name', (secret) => secret.replaceAll('ö', '&ouml;').replaceAll('"', '&quot;')],
  ['octal escapes', (secret) => [...octets(secret)].map((each) => `\\${each.toString(8).padStart(3, '0')}`).join('')],
  ['%u escapes', (secret) => every(secret, (code) => `%u${code.toString(16).padStart(4, '0')}`)],
  ['percent', encodeURIComponent],
  ['percent twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['percent, every octet', (secret) => `%${hexadecimal(secret, '%')}`],
  ['form', (secret) => new URLSearchParams({ p: secret }).toString().slice(2)],
  ['quoted-printable', (secret) => `=${hexadecimal(secret, '=').toUpperCase()}`],
  ['base64', base64],
  ['base64url', (secret) => octets(secret).toString('base64url')],
  ['base64 of base64', (secret) => base64(base64(secret))],
  ['base64 three times', (secret) => base64(base64(base64(secret)))],
  ['base64 of something longer', (secret) => base64(`{"got": ${JSON.stringify(secret)}}`)],
  ['base64, percent', (secret) => encodeURIComponent(base64(secret))],
  ['base64 of UTF-16', (secret) => Buffer.from(secret, 'utf16le').toString('base64')],
  ['base64 of UTF-16, big end first', (secret) => bigEndian(secret).toString('base64')],
  ['base64 of Latin-1', (secret) => Buffer.from(secret, 'latin1').toString('base64')],
  ['hexadecimal', (secret) => hexadecimal(secret, '')],
  ['hexadecimal in lines', (secret) => hexadecimal(secret, '\n')],
  ['hexadecimal with letters around it', (secret) => `abc${hexadecimal(secret, '')}xyz`],
  ['base64 in lines', (secret) => base64(secret).replace(/.{8}/g, '$&\r\n ').trim()],
  ['hexadecimal with colons', (secret) => hexadecimal(secret, ':').toUpperCase()],
  ['hexadecimal of UTF-16', (secret) => Buffer.from(secret, 'utf16le').toString('hex')],
  ['hexadecimal of UTF-16, big end first', (secret) => bigEndian(secret).toString('hex')],
  ['a list of octets', (secret) => JSON.stringify([...octets(secret)])],
  ['a list of octets, indented', (secret) => [...octets(secret)].join(',\n    ')],
  ['hexadecimal in indented lines', (secret) => hexadecimal(secret, ':').replace(/.{15}/g, '$&\n    ').trim()],
  ['base64 in indented lines', (secret) => base64(secret).replace(/.{8}/g, '$&\n    ').trim()],
  ['a list of signed octets', (secret) => JSON.stringify([...new Int8Array(octets(secret))])],
  ['UTF-16 read octet by octet', (secret) => Buffer.from(secret, 'utf16le').toString('latin1').slice(0, -1)],
  ['UTF-8 read octet by octet', (secret) => octets(secret).toString('latin1')],
];

/** The secrets in all their forms. What is too short to be found among letters stands between blanks. */
const planted = [
  ...[paraphrase, token].flatMap((secret) => forms.map(([, write]) => write(secret))),
  `${short} ${short.toUpperCase()}`,
  ...[pair, Buffer.from(`1:${paraphrase}`, 'latin1').toString('base64'), encodeURIComponent(pair)],
];

const writers: [string, (report: room.Report) => string][] = [
  ['terminal', (report) => terminalReport(report, { width: 100_000 })],
  ['JSON', jsonReport],
  ['JUnit', room.junitReport],
  ['EARL', room.earlReport],
  ['Markdown', room.markdownReport],
  ['HTML', room.htmlReport],
  ['comparison in Markdown', (report) => room.matrixMarkdown(compareReports([{ name: 'a', report }]))],
  ['comparison in HTML', (report) => room.matrixHtml(compareReports([{ name: 'a', report }]))],
];

/** A run in which everything that a target or an engine can say holds every secret. */
function leakingReport(redacted: boolean): room.Report {
  const redactor = createRedactor(spec.protocol);
  if (redacted) {
    redactor.user('1', paraphrase);
    redactor.user('2', short);
    redactor.token(token);
  }
  const echoed = planted.join(' ');
  const said = fromTarget(echoed);
  const sent = [
    ['Authorization', `Basic ${pair}`],
    ['X-Authorization', token],
    ['X-Echo', echoed],
  ] as const;
  const forwarded = [
    ['X-Forwarded-X-Authorization', 'fedcba9876543210'],
    ['Proxy-Authorization', 'Basic never-seen-before'],
    [`${token}-Authorization`, 'Basic x'],
    [`${token}-X-Authorization`, 'x'],
  ] as const;
  const chain = [
    exchange(`/api/things?${planted.map(encodeURIComponent).join('&')}`, sent, 200, [...sent, ...forwarded], echoed),
    { advancedMs: 1000 },
  ];
  const users = [{ id: '1', paraphrase }];
  const baseUrl = new URL('http://127.0.0.1:8080/api');
  return makeReport(
    input({
      target: serverTarget({ baseUrl, users, collections: ['things'], auth: 'on', clock: 'none' }),
      options: { ...input().options, baseline: [{ requirement: 'headers.link', reason: 'known' }] },
      findings: cleanBut(
        ...['challenge.status', 'headers.link'].map((requirement) =>
          finding(requirement, 'fail', {
            ...{ chain, seed: 1, expected: said, actual: said, message: said, path: said, example: said },
            explains: [{ what: said, count: 2 }],
          }),
        ),
        finding('token.sufficient', 'pass', { restsOn: said }),
        finding('token.reusable', 'untested', { message: said }),
      ),
      observations: [{ requirement: 'protection.limits', answer: said, evidence: said }],
      remarks: [said],
      error: said,
      record: (links) => recordChain(links, { baseUrl, redactor }),
      curl: (links) => curlScript(links, { baseUrl, users, protocol: spec.protocol, redactor }),
      redact: redactor.sentence,
    }),
  );
}

/** What a reader or a parser of the format sees. */
function decoded(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\u200b', '')
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["\\])/g, '$1');
}

const leaks = (text: string) =>
  [...planted, 'fedcba9876543210', 'never-seen'].filter((secret) =>
    [text, decoded(text), decoded(decoded(text))].some((form) => form.includes(secret)),
  );

const [redacted, open] = [leakingReport(true), leakingReport(false)];

test.each(writers)('no secret, in whatever form, is in the %s report', (_, write) => {
  expect(leaks(write(redacted))).toEqual([]);
});

test('the search finds secrets that are there', () => {
  expect(leaks(jsonReport(open))).toEqual(expect.arrayContaining([paraphrase, pair, token]));
});

test.each(forms)('%s: nothing of a secret is left in a text', (_, write) => {
  const redactor = createRedactor(spec.protocol);
  redactor.secret(paraphrase, 'paraphrase 1');
  redactor.secret(token, 'token 1');
  for (const secret of [paraphrase, token])
    expect(redactor.text(`[${write(secret)}]`)).toMatch(/^\[+(abc)?<(paraphrase|token) 1>[=%3Dd]*(xyz)?\]+$/);
});

test.each<[string, (secret: string) => string]>([
  ['base64 of hexadecimal in lines', (secret) => base64(hexadecimal(secret, '\n'))],
  ['upper case, as UTF-8 that was read octet by octet', (secret) => octets(secret.toUpperCase()).toString('latin1')],
  ['accents of their own, as UTF-8 that was read octet by octet', (secret) => octets(secret.normalize('NFD')).toString('latin1')],
  ['UTF-8 read octet by octet, twice', (secret) => octets(octets(secret).toString('latin1')).toString('latin1')],
])('two forms at once: %s', (_, write) => {
  const redactor = createRedactor(spec.protocol);
  redactor.secret(paraphrase, 'paraphrase 1');
  expect(redactor.text(`[${write(paraphrase)}]`)).toMatch(/^\[<paraphrase 1>=*\]$/);
});

/** What a report shows of a body, in an exchange and in a sentence. */
function shownOf(secret: string, body: Buffer): string {
  const redactor = createRedactor(spec.protocol);
  redactor.user('1', secret);
  const link = exchange('/api', [], 200, [['X-Echo', body.toString('latin1')]], body.toString('latin1'));
  const chain = [{ ...link, ...(link.answer && { answer: { ...link.answer, body } }) }];
  const [shown] = recordChain(chain, { baseUrl: new URL('http://127.0.0.1'), redactor });
  return `${JSON.stringify(shown)} ${redactor.sentence(shownOctets(body))}`;
}

test.each(['s3cret-wörd', 'пароль секрет', '東京特許許可局の秘密鍵'])('in any script, what is not UTF-8 is searched, too: %s', (secret) => {
  for (const each of [secret, secret.toUpperCase(), secret.normalize('NFD')]) {
    const utf16 = Buffer.from(each, 'utf16le');
    const bodies = [utf16, bigEndian(each), Buffer.from(utf16.toString('base64')), Buffer.from(utf16.toString('hex'))];
    for (const body of [...bodies, ...(secret.includes('wörd') ? [Buffer.from(secret, 'latin1')] : [])])
      expect(shownOf(secret, body).match(/<paraphrase of user 1>/g)).toHaveLength(3);
  }
});

test('nothing is left of a secret that is cut behind a code of another one', () => {
  const code = base64(paraphrase.padEnd(3054, 'x')).slice(0, 4072);
  expect(shownOf(paraphrase, octets(`${code.padEnd(4080)}${paraphrase}`))).not.toContain('s3cr');
});

test('the words for a request cut no token in two', () => {
  const redactor = createRedactor(spec.protocol);
  redactor.token(token);
  const words = requestWords({ method: 'GET', target: `/${'a'.repeat(60)}?token=${token}`, headers: [] });
  expect(redactor.sentence(words)).not.toContain(token.slice(0, 4));
});

test('SECURITY.md lists the forms', () => {
  const page = readFileSync(packageFile('SECURITY.md'), 'utf8');
  for (const word of ['percent-encoding', 'quoted-printable', 'base64 of base64', 'UTF-16', 'entities', 'octets', 'upper case'])
    expect(page).toContain(word);
});

test.each(forms)('a paraphrase that looks escaped itself is found: %s', (_, write) => {
  const odd = 'Kv7"zq wörd\\x93%41&#66;';
  const redactor = createRedactor(spec.protocol);
  redactor.user('1', odd);
  const text = redactor.text(`before ${write(odd)} after`);
  expect(text).toContain('<');
  expect(text).not.toContain(write(odd).slice(4, -4));
});
