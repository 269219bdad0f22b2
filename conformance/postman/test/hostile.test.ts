import { describe, expect, test } from 'vitest';
import { ids, run, withoutExpiry } from './running.js';
import type { Trait } from './tiny-traits.js';

describe('runPostman on a target that does not behave', () => {
  test.each<[Trait, RegExp]>([
    ['hang-up', /connection broke/],
    ['switches', /switched to another protocol/],
    ['garbage', /not well-formed/],
    ['silent', /within 300 ms/],
    ['endless', /Maximum response size|within 300 ms/],
    ['bomb', /Maximum response size/],
    ['slow-down', /slow down/],
  ])('passes nothing and ends when the target does this: %s', async (trait, reason) => {
    const timeoutMs = trait === 'silent' || trait === 'endless' ? 300 : 20_000;
    const result = await run([trait], { timeoutMs, selected: (id) => id.startsWith('challenge.') });
    expect(ids(result, 'pass')).toEqual([]);
    expect(ids(result, 'fail')).toEqual([]);
    expect(result.findings.find(({ requirement }) => requirement === 'challenge.status')?.message).toMatch(reason);
  });

  test('takes no 503 for a refusal of a token, as the laws do not', async () => {
    const result = await run(['busy-after-login'], withoutExpiry);
    expect(ids(result, 'fail')).toEqual([]);
    expect(result.findings.find(({ requirement }) => requirement === 'token.sufficient')).toMatchObject({
      outcome: 'untested',
      message: 'The target asked to slow down, status 503.',
    });
  });

  test('survives deep nesting, and sends back nothing that Postman would fill in', async () => {
    const result = await run(['deep'], withoutExpiry, ({ received }) => expect(received).toEqual([]));
    expect(ids(result, 'fail')).toContain('jsonld.parses');
    expect(result.findings.find(({ requirement }) => requirement === 'exchange.status')?.outcome).toBe('untested');
  });

  test('stops when it is told to', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 50);
    const result = await run(['silent'], { timeoutMs: 60_000, signal: stopping.signal });
    expect(ids(result, 'pass')).toEqual([]);
    expect(result.broken).toBeUndefined();
    expect(new Set(result.findings.map(({ message }) => message))).toEqual(new Set(['The run was interrupted.']));
  });
});
