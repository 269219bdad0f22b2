import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { isClockMove } from '../../wire/index.js';
import { ids, run, withoutExpiry } from './running.js';
import type { Trait } from './tiny-traits.js';

describe('runPostman', () => {
  test.each<[string, Trait[]]>([
    ['plain', []],
    ['unusual in one way', ['relative-link', 'many-schemes', 'with-parameters', 'refuses-403', 'nonces-reusable']],
    ['unusual in another', ['many-links', 'refuses-500', 'nonce-everywhere', 'empty-token-line']],
  ])('passes a conformant server: %s', async (_name, traits) => {
    let paths: string[] = [];
    const beganAtMs = performance.now();
    const result = await run(traits, {}, ({ received }) => {
      expect(received.filter(({ method, authorised }) => authorised && method !== 'GET')).toEqual([]);
      paths = received.map(({ path }) => `/api${path}`);
    });
    expect(result.exchanges.map(({ request }) => request.target)).toEqual(paths);
    const sentAtMs = [beganAtMs, ...result.exchanges.map((exchange) => exchange.sentAtMs), performance.now()];
    expect(sentAtMs).toEqual([...sentAtMs].sort((one, other) => one - other));
    expect(ids(result, 'fail')).toEqual([]);
    expect(ids(result, 'untested')).toEqual([]);
    expect(ids(result, 'pass')).toEqual(spec.catalogue.rows.flatMap((row) => (row.engines.includes('postman') ? [row.id] : [])).sort());
    expect(result.broken).toBeUndefined();
  });

  test.each<[traits: string, requirements: string]>([
    [
      'plain-nonce other-realm other-message plain-json odd-date exchange-message base64-token open-vocabulary text-errors ' +
        'prefix-token sliding any-paraphrase empty-token-line',
      'challenge.body challenge.nonce-shape challenge.www-authenticate errors.status-keyed exchange.body ' +
        'exchange.token-shape exchange.wrong-paraphrase-refused expiry.not-sliding headers.content-type headers.date-format ' +
        'protection.vocabulary token.unknown-refused',
    ],
    [
      'same-nonce no-allow-origin chunked no-date exchange-201 same-token open-404 open-delete any-nonce any-user ' + 'never-expires',
      'challenge.nonce-newly-issued exchange.status exchange.token-unique exchange.unknown-user-refused ' +
        'exchange.wrong-nonce-refused expiry.refused-after headers.allow-origin headers.content-length headers.date ' +
        'protection.methods protection.unknown-paths',
    ],
    [
      'echo-origin other-link html-challenge no-nonce-needed no-credentials-needed token-for-collection-only ' +
        'last-login-only half-lifetime',
      'exchange.credentials-needed exchange.nonce-needed expiry.valid-until headers.allow-origin headers.link ' +
        'jsonld.parses token.any-endpoint token.independent',
    ],
    ['single-use-token no-vocabulary nonce-everywhere', 'token.reusable token.vocabulary'],
    ['open-after-login', 'protection.collections protection.methods protection.unknown-paths protection.vocabulary'],
  ])('finds %s', async (traits, requirements) => {
    const result = await run(traits.split(' '));
    expect(ids(result, 'fail')).toEqual(requirements.split(' '));
    for (const finding of result.findings.filter(({ outcome }) => outcome === 'fail')) {
      expect(finding).toMatchObject({ engine: 'postman', expected: expect.stringMatching(/./), actual: expect.stringMatching(/./) });
      expect(finding.chain?.length).toBeGreaterThan(0);
      const isGiven = /-needed$|-refused$|-after$|-sliding$/.test(finding.requirement);
      expect(isGiven && finding.given === undefined, finding.requirement).toBe(false);
    }
  });

  test('keeps the distance between requests that it is told', async () => {
    const apartMs = 100;
    const { exchanges } = await run([], { selected: (id) => id === 'protection.methods', apartMs });
    expect(exchanges.length).toBeGreaterThan(3);
    const tookMs = (exchanges.at(-1)?.sentAtMs ?? 0) - (exchanges[0]?.sentAtMs ?? 0);
    expect(tookMs).toBeGreaterThan((exchanges.length - 1) * apartMs * 0.9);
  });

  test.each<[Trait, string]>([
    ['served-to-all', 'challenge.status'],
    ['no-nonce', 'challenge.nonce'],
    ['exchange-refused', 'exchange.status'],
    ['token-ignored', 'token.sufficient'],
  ])('says one cause once: %s', async (trait, requirement) => {
    const result = await run([trait], withoutExpiry, ({ received }) => {
      if (trait === 'served-to-all') expect(received.every(({ method }) => method === 'GET')).toBe(true);
    });
    expect(ids(result, 'fail')).toEqual([requirement]);
    const untested = result.findings.filter(({ outcome }) => outcome === 'untested');
    expect(untested.length).toBeGreaterThan(10);
    for (const { message } of untested) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  test('leaves a refusal untested when its control is not accepted', async () => {
    const result = await run(['locks-accounts'], withoutExpiry);
    expect(ids(result, 'fail')).toEqual([]);
    expect(ids(result, 'untested')).toEqual(['exchange.unknown-user-refused', 'exchange.wrong-paraphrase-refused']);
  });

  test('shows the shortest chain, with moves of the clock', async () => {
    const { findings } = await run(['sliding'], { selected: (id) => id.startsWith('expiry.') });
    const found = findings.find(({ outcome }) => outcome === 'fail');
    expect(found).toMatchObject({
      requirement: 'expiry.not-sliding',
      check: expect.stringMatching(/^expiry\.not-sliding:refuses-a-token-/),
    });
    const chain = found?.chain ?? [];
    expect(chain.map((link) => (isClockMove(link) ? link.advancedMs : link.answer?.status))).toEqual([
      401, 200, 1_350_000, 200, 1_348_000, 200, 4000, 200,
    ]);
    expect(new Set(findings.map(({ requirement }) => requirement.split('.')[0]))).toEqual(new Set(['expiry']));
  });

  test('leaves expiry untested without a clock', async () => {
    const selected = (id: string) => id.startsWith('expiry.') || id === 'challenge.status';
    const all = await run([], { clockUrl: '', selected });
    expect(ids(all, 'untested')).toEqual(['expiry.not-sliding', 'expiry.refused-after', 'expiry.valid-until']);
    expect(all.findings.find(({ outcome }) => outcome === 'untested')?.message).toMatch(/No clock was given/);
    expect(ids(all, 'pass')).toEqual(['challenge.status']);
    expect(all.exchanges).toHaveLength(1);
  });

  test('sends no wrong credentials when what they show is not selected', async () => {
    await run([], { selected: (id) => id === 'exchange.status' }, ({ received }) => {
      expect(received.map(({ authorised }) => authorised)).toEqual([false, true, false, true]);
    });
  });
});
