import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerReader } from '../reader.js';

function read(octets: Buffer, cuts: readonly number[], method: string) {
  const reader = new AnswerReader(method);
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    const to = Math.min(cut, octets.length);
    if (to > from) reader.push(octets.subarray(from, to));
    from = Math.max(from, to);
  }
  if (from < octets.length) reader.push(octets.subarray(from));
  reader.end();
  expect(reader.answer ?? reader.problem).toBeDefined();
  return { answer: reader.answer, code: reader.problem?.code, reusable: reader.reusable };
}

const body = fc.uint8Array({ maxLength: 40 }).map((octets) => Buffer.from(octets).toString('latin1'));
const chunked = fc.array(body, { maxLength: 4 }).map(
  (parts) =>
    `${parts
      .filter((part) => part !== '')
      .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
      .join('')}0\r\n\r\n`,
);
const pieces = ['HTTP/1.1 200 OK', 'HTTP/1.1 100 x', '\r\n', '\n', 'Content-Length: 3', 'Content-Length: ', 'Transfer-Encoding: chunked'];
const answers = fc.oneof(
  body.map((text) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`),
  fc.tuple(body, fc.integer({ min: 0, max: 50 })).map(([text, length]) => `HTTP/1.1 200 OK\r\ncontent-length:${length}\r\n\r\n${text}`),
  chunked.map((text) => `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404\r\nTransfer-Encoding: chunked\r\n\r\n${text}`),
  body.map((text) => `HTTP/1.0 200 OK\r\nX: y\r\n\r\n${text}`),
  body.map((text) => `HTTP/1.1 200 OK\nX: y\n\n${text}`),
  body,
  fc.array(fc.constantFrom(...pieces, '3', 'abc', '0', ': ', ' ', '\0', '\xff'), { maxLength: 12 }).map((parts) => parts.join('')),
);

test.each(['HTTP/1.1 200 OK\r\nan echo of', 'HTTP/1.1 200 OK\r\nContent-Length:', 'an echo of', 'HTTP/2 an echo of'])(
  'what is told of an answer is whole where it may be secret: %s',
  (begin) => {
    const reader = new AnswerReader('GET');
    reader.push(Buffer.from(`${begin} ${'x'.repeat(50)} correct horse battery staple\r\n\r\n`));
    expect(reader.problem?.message).toContain('correct horse battery staple');
  },
);

test('whatever octets come, there is an answer or a problem, and it does not matter how the network cuts them', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.nat(120), { maxLength: 20 }), fc.constantFrom('GET', 'HEAD'), (text, cuts, method) => {
      const octets = Buffer.from(text, 'latin1');
      expect(read(octets, cuts, method)).toEqual(read(octets, [], method));
      expect(read(octets, octets.map((_, index) => index) as unknown as number[], method)).toEqual(read(octets, [], method));
    }),
    { numRuns: 300 },
  );
});

test('a body in chunks of one octet takes little more memory than its octets', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const reader = new AnswerReader('GET');
  reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
  const before = used();
  for (let times = 0; times < 100; times += 1) reader.push(Buffer.from('1\r\nx\r\n'.repeat(1000)));
  expect(used() - before).toBeLessThan(2e6);
  reader.push(Buffer.from('0\r\n\r\n'));
  expect(reader.answer?.body.equals(Buffer.alloc(100_000, 'x'))).toBe(true);
});
