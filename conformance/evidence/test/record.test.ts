import { expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { parseJson } from '../../expect/index.js';
import { answer, exchanged } from '../../test/messages.js';
import { type Chain, fromTarget, type HeaderLine } from '../../wire/index.js';
import { createRedactor, recordChain } from '../index.js';

const baseUrl = new URL('http://target.example:8080/api');

const request = { method: 'GET', target: '/api/drones?x=1', headers: [['Authorization', 'Basic MTpzZXNhbWUgb3Blbg==']] } as const;
const exchange = (body: Buffer | string, headers: HeaderLine[] = [['X-Authorization', 'abcdef0123456789']]) =>
  exchanged(request, answer(200, headers, body, 'OK'), 12, 3.0901);

function record(chain: Chain) {
  const redactor = createRedactor(spec.protocol);
  redactor.user('1', 'sesame open');
  redactor.secret('abcdef0123456789', 'token');
  return recordChain(chain, { baseUrl, redactor });
}

test('a chain becomes plain data without secrets', () => {
  const [first, second] = record([exchange('{"echo":"sesame open"}'), { advancedMs: 2_700_000 }]);
  expect(first).toEqual({
    kind: 'exchange',
    request: {
      method: 'GET',
      url: 'http://target.example:8080/api/drones?x=1',
      headers: [['Authorization', 'Basic <id 1 and the right paraphrase>']],
      body: null,
    },
    response: { status: 200, reason: 'OK', headers: [['X-Authorization', '<token 1>']], body: '{"echo":"<paraphrase of user 1>"}' },
    problem: null,
    durationMs: 3.1,
  });
  expect(second).toEqual({ kind: 'clock', advancedMs: 2_700_000 });
});

function bodyOf(body: Buffer): string {
  const [link] = record([exchange(body)]);
  return link?.kind === 'exchange' ? (link.response?.body ?? '') : '';
}

test('long bodies are cut with a note, and never through a secret', () => {
  const long = bodyOf(Buffer.from(`${'x'.repeat(4090)}sesame open${'y'.repeat(100_000)}`));
  expect(long.length).toBeLessThan(4200);
  expect(long).toMatch(/\n\[cut here; 104101 octets in all\]$/);
  expect(long).not.toContain('xses');
  expect(bodyOf(Buffer.from('x'.repeat(4096)))).toBe('x'.repeat(4096));
  // What is found makes the text shorter, and what is not shown of others comes into sight.
  const coded = Buffer.from(`sesame open${'x'.repeat(8500)}`).toString('base64');
  for (const searched of [12_288, 12_288 - coded.length]) {
    const before = `${coded.slice(0, 12_288 - searched || undefined)} `;
    expect(bodyOf(Buffer.from(`${before}${'y'.repeat(12_288 - before.length - 6)}sesame open${'z'.repeat(9)}`))).not.toContain('sesame');
  }
});

test('octets that are no text are shown safely, and control characters kept', () => {
  expect(bodyOf(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb\n[not UTF-8; what could not be read is shown as \ufffd]');
  expect(bodyOf(Buffer.from('\u001b[31m\u0000'))).toBe('\u001b[31m\u0000');
  expect(bodyOf(Buffer.from('ä'.repeat(20_000)))).not.toContain('not UTF-8');
});

test('a sentence about an answer shows no part of a secret', () => {
  for (const text of ['sesame open', '[sesame open, and more]', '{"said": sesame open}']) {
    const { problem = '' } = parseJson(Buffer.from(text));
    const [link] = record([{ ...exchanged(request), problem: { code: 'malformed', message: problem } }]);
    expect(JSON.stringify(link)).toMatch(/not JSON: Unexpected token 's' is/);
  }
});

test('an exchange without an answer tells its problem', () => {
  const [link] = record([
    { ...exchanged(request), problem: { code: 'closed', message: `The target said ${fromTarget('sesame open')} and closed.` } },
  ]);
  expect(link).toMatchObject({ response: null, problem: 'The target said <paraphrase of user 1> and closed.' });
});

test('long header lines are cut with a note', () => {
  const [link] = record([exchange('', [['X-Long', 'x'.repeat(60_000)]])]);
  const value = link?.kind === 'exchange' ? link.response?.headers[0]?.[1] : undefined;
  expect(value).toMatch(/^x{1024}… \[cut here; 60000 characters in all\]$/);
});
