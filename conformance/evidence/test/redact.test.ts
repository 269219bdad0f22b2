import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { fromTarget } from '../../wire/index.js';
import { createRedactor } from '../index.js';

const { protocol } = spec;
const token = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

/** SECURITY.md lists the forms in which a secret is found; the room of the report plants each of them. Here any secret is, in some. */
test.each([
  ['as it is', (text: string) => text],
  ['JSON', (text: string) => JSON.stringify(text).slice(1, -1)],
  ['percent', encodeURIComponent],
  ['base64 of base64', (text: string) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64')],
  ['hexadecimal', (text: string) => Buffer.from(text).toString('hex').toUpperCase()],
])('any secret written as %s is not in the text afterwards', (_, encode) => {
  const secrets = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim().length >= 8);
  fc.assert(
    fc.property(secrets, fc.string(), fc.string(), (secret, before, behind) => {
      const redactor = createRedactor(protocol);
      redactor.secret(secret, 'paraphrase of user 1');
      const written = redactor.text(`${before} ${encode(secret)} ${behind}`);
      expect(written).toContain('<paraphrase of user 1>');
      expect(written).not.toContain(encode(secret));
    }),
    { numRuns: 60, examples: [['\ufffdÀ       !', '', '']] },
  );
});

test('base64 of something longer with the secret in it keeps nothing of it but its edges', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 0, maxLength: 9 }),
      fc.string({ minLength: 9, maxLength: 30 }),
      fc.string({ maxLength: 9 }),
      (before, secret, behind) => {
        const redactor = createRedactor(protocol);
        redactor.secret(secret, 'secret 1');
        const left = redactor.text(Buffer.from(`${before}${secret}${behind}`).toString('base64'));
        expect(left).toContain('<secret 1>');
      },
    ),
  );
});

test('a token is found in any letter case and within longer words', () => {
  const redactor = createRedactor(protocol);
  redactor.token(token);
  redactor.token('ffffeeee-dddd-cccc');
  expect(redactor.text(`x${token.toUpperCase()}y ffffeeee-dddd-cccc`)).toBe(
    'x<token 1: 32 hexadecimal digits>y <token 2: 18 characters, with hyphens: 8-4-4>',
  );
});

test('a token of 64 kB is replaced as a whole, in seconds', () => {
  const redactor = createRedactor(protocol);
  const long = 'a'.repeat(65_000);
  redactor.token(long);
  expect(redactor.text(`before ${long} behind`)).toMatch(/^before <token 1: [^>]*> behind$/);
}, 10_000);

test('secrets that overlap leave no rest', () => {
  const redactor = createRedactor(protocol);
  redactor.secret('abcdefghij', 'one 1');
  redactor.secret('ghijklmnop', 'two 2');
  expect(redactor.text('--abcdefghijklmnop--')).toBe('--<one 1>--');
});

test('a secret at the end of a text leaves no rest where a longer one begins alike', () => {
  const redactor = createRedactor(protocol);
  for (const form of ['NFC', 'NFD']) redactor.user('1', 'sécret päss-1'.normalize(form));
  expect(redactor.text(`?p=${encodeURIComponent('sécret päss-1')}`)).toBe('?p=<paraphrase of user 1>');
});

test('short secrets do not spoil other text, and what is too short to be hidden is named', () => {
  const redactor = createRedactor(protocol);
  for (const short of ['', 'a', 'it', 'abc', 'pass']) redactor.user('1', short);
  const written = redactor.text('a cab passes by; it is a pass, abc');
  expect(written).toMatch(/^a cab passes by; <paraphrase of user 1 2> is a <paraphrase of user 1 4>, <paraphrase of user 1 3>$/);
  expect(redactor.warnings()).toEqual([
    expect.stringMatching(/^The paraphrase of user 1 is too short or too common a word to be hidden in reports/),
  ]);
  expect(redactor.header(['Authorization', `Basic ${Buffer.from('1:a').toString('base64')}`])[1]).not.toContain('MTph');
});

test('header lines are redacted by name, whatever is in them', () => {
  const redactor = createRedactor(protocol);
  redactor.token(token);
  expect(redactor.header(['Authorization', 'basic'])).toEqual(['Authorization', 'basic']);
  expect(redactor.header(['x-authorization', 'never seen'])).toEqual([
    'x-authorization',
    '<token: 10 characters, not all of them hexadecimal digits>',
  ]);
  expect(redactor.header(['X-Authorization', token])).toEqual(['X-Authorization', '<token 1: 32 hexadecimal digits>']);
  expect(redactor.header(['X-Echo', `got ${token}`])).toEqual(['X-Echo', 'got <token 1: 32 hexadecimal digits>']);
});

test.each([
  ['Basic !!!', 'Basic <3 characters, which are not base64>'],
  ['c2VjcmV0', '<8 characters without a blank>'],
  ['Basic', 'Basic'],
  [basic('1:open sesame'), 'Basic <id 1 and the right paraphrase>'],
  [basic('1.0:open sesame'), 'Basic <id 1.0 and the right paraphrase>'],
  [basic('2:open sesame'), 'Basic <id 2 and the paraphrase of user 1>'],
  [basic('1:open sesam'), 'Basic <id 1 and a paraphrase of 10 octets, which nobody has>'],
  [basic(':'), 'Basic <no id and no paraphrase>'],
  [basic('open sesame:1'), 'Basic <an id of 11 characters and a paraphrase of 1 octet, which nobody has>'],
  [basic('open sesame'), 'Basic <base64 of 11 octets without a colon>'],
  [basic("1' OR '1'='1:open sesame"), `Basic <id "1' OR '1'='1" and the paraphrase of user 1>`],
])('of the credentials %s the form is told', (sent, told) => {
  const redactor = createRedactor(protocol);
  redactor.user('1', 'open sesame');
  expect(redactor.header(['Authorization', sent])).toEqual(['Authorization', told]);
});

test('of a sentence only what is the target’s is searched, and cut afterwards', () => {
  const redactor = createRedactor(protocol);
  redactor.user('2', 'other');
  const said = `judge the other with a second run; the target said ${fromTarget(`the other ${'x'.repeat(400)}`)}.`;
  expect(redactor.sentence(said)).toMatch(/^judge the other with a second run; the target said the <paraphrase of user 2> x{270,280}….$/);
  expect(redactor.sentence(fromTarget(fromTarget('other')))).not.toContain('other');
});

test('a paraphrase that everybody reads anyway leaves no gap that shows it', () => {
  const redactor = createRedactor(protocol, ['people', 'http://127.0.0.1:8080/api']);
  for (const [index, word] of ['401', 'Basic', 'people', 'api', 'the', 'a'].entries()) redactor.user(String(index + 1), word);
  for (const said of ['{"401": "Need credentials to authenticate"}', 'Basic realm="Login required"', '/api/people', 'a b'])
    expect(redactor.text(said)).toBe(said);
  expect(redactor.text('wrong: the')).toBe('wrong: <paraphrase of user 5>');
  for (const pair of ['2:Basic', '3:people', '6:a']) {
    expect(redactor.text(`${Buffer.from(pair).toString('base64')} came`)).toMatch(/^<credentials of user \d> came$/);
    expect(redactor.header(['Authorization', basic(pair)])[1]).toMatch(/^Basic <id \d and the right paraphrase>$/);
  }
});

test('credentials nobody registered are found behind the name of their scheme, and sentences are left alone', () => {
  const redactor = createRedactor(protocol);
  expect(redactor.text(`got Basic ${Buffer.from('1:x').toString('base64')}.`)).toBe('got Basic <credentials>.');
  for (const sentence of ['asks for Basic credentials in the realm', 'WWW-Authenticate: Basic realm="Login required"'])
    expect(redactor.text(sentence)).toBe(sentence);
});

test('what is almost a paraphrase is left out where a target writes what it has decoded; other wrong words are not', () => {
  const redactor = createRedactor(protocol);
  redactor.user('1', 'Tr0ub4dor-horse');
  redactor.secret(basic('1:Tr0ub4dor-hors'), 'wrong credentials');
  redactor.secret(basic('7:undefined'), 'wrong credentials');
  expect(redactor.text('No: 1:Tr0ub4dor-hors is undefined')).toBe('No: 1:<wrong credentials 1> is undefined');
});

test('a long paraphrase is found whose letters are longer when they are folded', () => {
  for (const secret of ['가나다라마바사아자차'.repeat(26), 'größere Öfen für Ähren '.repeat(18)]) {
    const redactor = createRedactor(protocol);
    redactor.secret(secret.trim(), 'paraphrase of user 1');
    expect(redactor.text(`before ${secret.trim()} behind`)).toBe('before <paraphrase of user 1> behind');
  }
});

test('of secrets that begin alike the longest is found, in a time that hardly grows with their number', () => {
  const redactor = createRedactor(protocol);
  for (let length = 8; length < 500; length += 1) redactor.secret(`${'b'.repeat(length)}a`, `${length}`);
  for (let length = 510; length > 500; length -= 1) redactor.secret('b'.repeat(length), `${length}`);
  for (const length of [8, 100, 499]) expect(redactor.text(`x ${'b'.repeat(length)}a x`)).toBe(`x <${length}> x`);
  expect(redactor.text(`x ${'b'.repeat(505)}c`)).toBe('x <505>c');
  expect(redactor.text(`x ${'b'.repeat(400)}`)).toBe(`x ${'b'.repeat(400)}`);
  expect(redactor.text('bbbbbbb '.repeat(20_000))).not.toContain('<');
  expect(redactor.text(`${'b'.repeat(498)} `.repeat(100))).not.toContain('<');
}, 20_000);

test('what would take minutes to search is not shown, and what was searched before is', () => {
  const redactor = createRedactor(protocol, [], 10_000);
  redactor.user('1', 'smörgås');
  expect(redactor.text('an answer with smörgås')).toBe('an answer with <paraphrase of user 1>');
  const codes = '\\u005cYWJj61=0'.repeat(50);
  const texts = [1, 2, 3, 4].map((at) => redactor.text(`${at}${codes}`));
  expect([texts[0], texts.at(-1)]).toEqual([`1${codes}`, '<701 characters that took too long to search for secrets>']);
  expect(redactor.text('an answer with smörgås')).toBe('an answer with <paraphrase of user 1>');
});
