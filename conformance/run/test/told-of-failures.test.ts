import { expect, test } from 'vitest';
import { startReferenceServer } from '../../../fixtures/reference-server.js';
import { defaultUsers } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';
import { jsonReport, parseReport } from '../../report/index.js';
import { runConformance } from '../index.js';

test('every failure says how often it failed, on which connections, and what clauses it breaks, whichever check found it', async () => {
  const failing = ['headers.date-format', 'challenge.www-authenticate', 'exchange.id-spelling', 'protection.methods'];
  await using server = await startReferenceServer({ faults: ['date-iso', 'realm-in-other-case', 'id-trimmed', 'delete-open'] });
  const came = await runConformance({
    baseUrl: server.url,
    collections: server.collections,
    users: defaultUsers.map(({ id, paraphrase }) => ({ id: String(id), paraphrase })),
    only: failing,
    runs: 1,
    seed: 1,
  });
  const { requirements } = parseReport(jsonReport(came), 'report.json');
  expect(requirements.map(({ id, outcome }) => [id, outcome === 'fail' || outcome === 'warn'])).toEqual(failing.map((id) => [id, true]));
  for (const { id, clauses, checks } of requirements) {
    const { source } = spec.catalogue.requirement(id);
    expect(clauses).toEqual(spec.catalogue.sources.filter(({ point }) => source.includes(point)));
    for (const { engine, outcome, rate, exchanges } of checks.filter((each) => each.outcome === 'fail')) {
      expect([outcome, rate !== undefined && rate.failed >= 1 && rate.failed <= rate.of]).toEqual(['fail', true]);
      const connections = exchanges.map((each) => each.kind === 'clock' || each.connection !== undefined);
      if (engine === 'laws') expect([connections.length > 0, connections.every(Boolean)]).toEqual([true, true]);
    }
  }
});
