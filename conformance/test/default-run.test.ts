import { beforeAll, expect, test, vi } from 'vitest';
import { defaultCollections, defaultUsers, startReferenceServer } from '../../reference-server/index.js';
import { spec } from '../../spec/index.js';
import { progressLine } from '../cli/progress.js';
import { defaultRun } from '../coverage-page.js';
import { type About, grantOf, Oracle } from '../oracle/index.js';
import type { Report } from '../report/index.js';
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

const counts = new Counts();
let report: Report;
let answered = 0;
const lines: [tookS: number, line: string][] = [];

beforeAll(async () => {
  const end = Oracle.prototype.end;
  vi.spyOn(Oracle.prototype, 'end').mockImplementation(function (this: Oracle, ticket, exchange) {
    counts.oracle = this;
    counts.note(exchange);
    return end.call(this, ticket, exchange);
  });
  await using server = await startReferenceServer({ clock: 'manual' });
  server.hapi.ext('onPreResponse', (_, h) => {
    answered += 1;
    return h.continue;
  });
  // Every answer takes a second, whatever the clock of this machine says.
  const terminal = { err: (text: string) => void lines.push([answered, text]), isTTY: true, width: 200 };
  const line = progressLine(terminal, 'connecting', () => answered * 1000);
  report = await runConformance({
    baseUrl: server.url,
    collections: defaultCollections,
    users: defaultUsers,
    clock: server.clockUrl ?? 'none',
    engine: 'laws',
    onProgress: line.show,
  });
  line.clear();
});

test('a default run reaches what docs/coverage.md promises, and not much more', () => {
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
  expect(report.requests).toBeLessThan(1.07 * defaultRun.requests);
});

test('it says in words what is tried, and after a quarter of the run how long it takes, within a third', () => {
  for (const words of ['connecting', 'logging in', 'Step C: token use', 'how long tokens live', 'wrong credentials'])
    expect(lines.some(([, text]) => text.endsWith(words))).toBe(true);
  const later = lines.flatMap(([took, text]) => {
    const [, left, unit] = /about (\d+) (s|min) left/.exec(text) ?? [];
    return took < answered / 4 || left === undefined ? [] : [took + Number(left) * (unit === 's' ? 1 : 60)];
  });
  expect(later.length).toBeGreaterThan(20);
  expect(later.filter((whole) => Math.abs(whole - answered) > answered / 3)).toEqual([]);
});
