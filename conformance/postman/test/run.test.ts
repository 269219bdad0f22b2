import { describe, expect, test } from 'vitest';
import { refuseLogin, verifying } from '../../../fixtures/logins.js';
import { letIn, refuseToken } from '../../../fixtures/states.js';
import { spec } from '../../../spec/index.js';
import type { Wrong } from '../../test/seen/judging.js';
import { isClockMove } from '../../wire/index.js';
import { ids, run, withoutExpiry } from './running.js';

const everything = () => true;
/** One wrong attempt locks everybody out. */
const locksAccounts = verifying((verify) => {
  let isLocked = false;
  return async (presented) => {
    const user = isLocked ? undefined : await verify(presented);
    isLocked ||= user === undefined;
    return user;
  };
});

describe('runPostman', () => {
  test.each([
    ['unusual in one way', 'link-relative realm-after-other-schemes media-type-parameters wrong-credentials-403 nonce-reusable'],
    ['unusual in another', 'link-among-others unknown-token-403 nonce-on-every-answer'],
  ])('passes a conformant server: %s', async (_name, variants) => {
    const beganAtMs = performance.now();
    const { server, ...result } = await run(variants.split(' '));
    const granted = server.recorded.filter(({ method, status }) => method !== 'GET' && status < 400);
    expect(granted).toEqual([]);
    expect(result.exchanges.map(({ request }) => request.target)).toEqual(server.recorded.map(({ target }) => target));
    const sentAtMs = [beganAtMs, ...result.exchanges.map((exchange) => exchange.sentAtMs), performance.now()];
    expect(sentAtMs).toEqual([...sentAtMs].sort((one, other) => one - other));
    expect([ids(result, 'fail'), ids(result, 'untested'), result.broken]).toEqual([[], [], undefined]);
    expect(ids(result, 'pass')).toEqual(spec.catalogue.rows.flatMap((row) => (row.engines.includes('postman') ? [row.id] : [])).sort());
  });

  test.each([
    [
      'nonce-without-hyphens realm-in-other-case challenge-other-text content-type-json-on-challenge date-iso exchange-other-text ' +
        'token-base64 vocabulary-open error-in-html sliding token-with-a-tail paraphrase-cut-at-eight',
      'challenge.body challenge.nonce-shape challenge.www-authenticate errors.status-keyed exchange.body ' +
        'exchange.token-shape exchange.wrong-paraphrase-refused expiry.not-sliding headers.content-type headers.date-format ' +
        'protection.vocabulary token.unknown-refused',
    ],
    [
      'nonce-constant allow-origin-only-when-asked chunked date-missing exchange-201 token-of-the-user routing-before-authentication ' +
        'delete-open nonce-not-looked-up id-unknown-is-the-first expires-never',
      'challenge.nonce-newly-issued exchange.status exchange.token-unique exchange.unknown-user-refused ' +
        'exchange.wrong-nonce-refused expiry.refused-after headers.allow-origin headers.content-length headers.date ' +
        'protection.methods protection.unknown-paths',
    ],
    [
      'allow-origin-echoed link-to-another-host exchange-empty nonce-not-needed credentials-not-needed one-token-a-user expires-after-two-thirds',
      'exchange.credentials-needed exchange.nonce-needed expiry.valid-until headers.allow-origin headers.link jsonld.parses token.independent',
    ],
    ['token-once vocabulary-missing nonce-on-every-answer', 'token.reusable token.vocabulary'],
  ])('finds %s', async (wrong, requirements) => {
    const result = await run(wrong.split(' '));
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

  test.each<[string, Wrong, string]>([
    ['strangers are served', letIn(everything), 'challenge.status'],
    ['there is no nonce', 'nonce-missing', 'challenge.nonce'],
    ['logins are refused', refuseLogin(everything), 'exchange.status'],
    ['tokens are not looked at', refuseToken(everything), 'token.sufficient'],
  ])('says one cause once: %s', async (_, wrong, requirement) => {
    const result = await run([wrong], withoutExpiry);
    if (requirement === 'challenge.status') expect(result.server.recorded.every(({ method }) => method === 'GET')).toBe(true);
    expect(ids(result, 'fail')).toEqual([requirement]);
    const untested = result.findings.filter(({ outcome }) => outcome === 'untested');
    expect(untested.length).toBeGreaterThan(10);
    for (const { message } of untested) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  test('leaves a refusal untested when its control is not accepted', async () => {
    const result = await run([locksAccounts], withoutExpiry);
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
    const { server } = await run([], { selected: (id) => id === 'exchange.status' });
    expect(server.recorded.map(({ step }) => step)).toEqual(['A', 'B', 'A', 'B']);
  });
});
