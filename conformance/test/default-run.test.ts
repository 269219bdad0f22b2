import { expect, test, vi } from 'vitest';
import { defaultCollections, defaultUsers, startReferenceServer } from '../../reference-server/index.js';
import { spec } from '../../spec/index.js';
import { defaultRun } from '../coverage-page.js';
import { type About, grantOf, Oracle } from '../oracle/index.js';
import { runConformance } from '../run/index.js';
import { type Exchange, headerValues } from '../wire/index.js';

const { headers } = spec.protocol;

/** Counts what a target gives, and how often each token was honoured. */
class Counts {
  readonly nonces = new Set<string>();
  readonly uses = new Map<string, number>();
  newerTokens = 0;
  oracle: Oracle | undefined;

  note({ request, answer }: Exchange): void {
    if (answer === undefined) return;
    const sent = headerValues(request, headers.token)[0];
    if (sent !== undefined && this.uses.has(sent) && grantOf(answer, spec.protocol) !== 'nothing') {
      this.uses.set(sent, (this.uses.get(sent) ?? 0) + 1);
      this.newerTokens = Math.max(this.newerTokens, this.uses.size - 1 - [...this.uses.keys()].indexOf(sent));
    }
    for (const nonce of headerValues(answer, headers.nonce)) this.nonces.add(nonce);
    for (const token of headerValues(answer, headers.token)) if (!this.uses.has(token)) this.uses.set(token, 0);
  }
}

test('a default run reaches what docs/coverage.md promises, and not much more', async () => {
  const counts = new Counts();
  const end = Oracle.prototype.end;
  vi.spyOn(Oracle.prototype, 'end').mockImplementation(function (this: Oracle, ticket, exchange) {
    counts.oracle = this;
    counts.note(exchange);
    return end.call(this, ticket, exchange);
  });
  await using server = await startReferenceServer({ clock: 'manual' });
  const report = await runConformance({
    baseUrl: server.url,
    collections: defaultCollections,
    users: defaultUsers,
    clock: server.clockUrl ?? 'none',
    engine: 'laws',
  });
  const held = (about: About) => counts.oracle?.rate(about).of ?? 0;
  const honoured = [...counts.uses.values()].reduce((sum, uses) => sum + uses, 0);
  const reached: Record<string, [reached: number, promised: number]> = {
    requests: [report.requests, defaultRun.requests],
    combinations: [report.coverage?.combinations ?? 0, defaultRun.combinations],
    pairs: [report.coverage?.pairs ?? 0, defaultRun.pairs],
    nonces: [counts.nonces.size, defaultRun.nonces],
    tokens: [counts.uses.size, defaultRun.tokens],
    newerTokens: [counts.newerTokens, defaultRun.newerTokens],
    usesOfOneToken: [Math.max(...counts.uses.values()), defaultRun.usesOfOneToken],
    'valid-token': [honoured, defaultRun.held['valid-token'][0]],
    ...Object.fromEntries(
      (['stranger', 'login', 'wrong-login', 'wrong-nonce', 'unknown-token', 'expired-token'] as const).map((about) => [
        about,
        [held(about), defaultRun.held[about][0]],
      ]),
    ),
  };
  const wrong = Object.entries(reached).filter(([, [there, promised]]) => there < promised || there > 1.4 * promised);
  expect(wrong).toEqual([]);
  expect(report.depthBy?.reduce((sum, { requests }) => sum + requests, 0)).toBe(report.depth);
  // What saves requests (nonces and controls that are shared, headers beside each other) is seen here alone.
  expect(report.requests).toBeLessThan(1.12 * defaultRun.requests);
});
