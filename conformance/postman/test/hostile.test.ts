import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { deciding, hasToken } from '../../../fixtures/changes.js';
import { hostileTargets } from '../../../fixtures/hostile/index.js';
import { spec } from '../../../spec/index.js';
import { listening } from '../../../spec/test/listening.js';
import { atTheEnd } from '../../test/seen/judging.js';
import { ids, judge, run, withoutExpiry } from './running.js';

async function hostile(id: string): Promise<string> {
  const started = await hostileTargets.find((each) => each.id === id)?.start();
  atTheEnd(() => started?.close());
  return String(started?.url);
}

describe('runPostman on a target that does not behave', () => {
  test.each([
    ['closes', /connection broke/],
    ['garbage', /not well-formed/],
    ['hangs', /within 300 ms/],
    ['endless-body', /Maximum response size|within 300 ms/],
    ['gzip-bomb', /Maximum response size/],
    ['asks-to-wait', /slow down/],
  ])('passes nothing and ends when the target does this: %s', async (id, reason) => {
    const timeoutMs = id === 'hangs' || id === 'endless-body' ? 300 : 20_000;
    const result = await judge(await hostile(id), { timeoutMs, selected: (row) => row.startsWith('challenge.') });
    expect([ids(result, 'pass'), ids(result, 'fail'), result.broken]).toEqual([[], [], undefined]);
    expect(result.findings.find(({ requirement }) => requirement === 'challenge.status')?.message).toMatch(reason);
  });

  test('takes no change of the protocol for an answer', async () => {
    const user = { id: '1', paraphrase: 'correct horse battery staple' };
    const { findings } = await judge(await hostile('switches-protocols'), { ...withoutExpiry, user });
    expect(findings.find(({ requirement }) => requirement === 'token.sufficient')?.message).toMatch(/switched to another protocol/);
  });

  test('takes no 503 for a refusal of a token, as the laws do not', async () => {
    const busy = deciding(async (request, parts) =>
      hasToken(request) ? parts.answers.error(503, request.base, parts, [['Retry-After', '1']]) : undefined,
    );
    const result = await run([busy], withoutExpiry);
    expect(ids(result, 'fail')).toEqual([]);
    expect(result.findings.find(({ requirement }) => requirement === 'token.sufficient')).toMatchObject({
      outcome: 'untested',
      message: 'The target asked to slow down, status 503.',
    });
  });

  test('survives deep nesting', async () => {
    expect(ids(await judge(await hostile('deep-json'), { selected: (row) => row === 'jsonld.parses' }), 'fail')).toContain('jsonld.parses');
  });

  test('stops when it is told to', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 50);
    const result = await judge(await hostile('hangs'), { ...withoutExpiry, timeoutMs: 60_000, signal: stopping.signal });
    expect([ids(result, 'pass'), result.broken]).toEqual([[], undefined]);
    expect(new Set(result.findings.map(({ message }) => message))).toEqual(new Set(['The run was interrupted.']));
  });

  const { headers, challenge } = spec.protocol;
  const odd = [headers.link, headers.authenticate, headers.contentType, headers.date].map((name) => [name, '<";,=\\']);
  test.each<[string, number, string[][], (string | Buffer)?]>([
    ['a challenge without anything else', 401, []],
    ['a challenge with an empty nonce', 401, [[headers.nonce, '']], JSON.stringify(challenge.body)],
    ['a nonce that names a variable', 401, [[headers.nonce, '{{paraphrase}}']], '{{$guid}}'],
    ['a nonce with everything', 200, [[headers.nonce, 'x']], '{"a":1}'],
    ['null', 200, [], 'null'],
    ['octets that are not UTF-8', 404, [[headers.token, '']], Buffer.from([0xff, 0xfe])],
    ['odd headers', 401, odd],
  ])('has no script that breaks when every answer is %s', async (_, status, lines, body = '') => {
    await using server = await listening(createServer((_request, response) => response.writeHead(status, lines.flat()).end(body)));
    const { broken, findings } = await judge(server.url, { clockUrl: server.url });
    expect([broken, findings.length > 50]).toEqual([undefined, true]);
  });
});
