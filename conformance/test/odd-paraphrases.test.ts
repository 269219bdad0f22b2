import { beforeAll, describe, expect, test } from 'vitest';
import { startReferenceServer } from '../../fixtures/reference-server.js';
import { spec } from '../../spec/index.js';
import { type Report, runConformance } from '../index.js';
import { jsonReport, parseReport } from '../report/index.js';

/** Each is a word that the kit, the protocol or the target says in every run. */
const paraphrases = ['the', '401', 'a', 'Basic', 'people'];
const users = paraphrases.map((paraphrase, index) => ({ id: index + 1, paraphrase }));

/** The texts of a report that the target had no part in. */
function ownTexts({ requirements, remarks }: Report): string[] {
  return [...remarks, ...requirements.flatMap(({ statement, hint, reason = '', restsOn = '' }) => [statement, hint, reason, restsOn])];
}

describe('users whose paraphrases are ordinary words', () => {
  let report: Report;
  beforeAll(async () => {
    const faults = ['realm-in-other-case', 'fails-on-missing-colon', 'link-missing-on-exchange', 'date-iso', 'id-trimmed', 'delete-open'];
    await using server = await startReferenceServer({ users, collections: ['people', 'books'], faults });
    report = await runConformance({
      baseUrl: server.url,
      collections: ['people', 'books'],
      users,
      runs: 1,
      seed: 1,
      only: ['challenge', 'headers', 'exchange', 'config', 'protection.methods'],
    });
  });

  test('change no word that the kit says', () => {
    const said = ownTexts(report);
    expect(said.filter((text) => text.includes('<'))).toEqual(
      spec.catalogue.requirements.flatMap(({ statement, hint }) => [statement, hint]).filter((text) => text.includes('<')),
    );
    expect(said).toContain('A run sees one deployment in one setting; judge the other with a second run and --auth off.');
    const checks = report.requirements.flatMap((each) => each.checks).filter(({ outcome }) => outcome === 'fail');
    const sentences = checks.flatMap(({ expected, actual, message }) => [expected, actual, message]);
    expect(sentences.filter((text) => text?.includes('<paraphrase'))).toEqual([]);
  });

  test('leave no gap where the protocol or the address is shown', () => {
    const realm = report.requirements
      .find(({ id }) => id === 'challenge.www-authenticate')
      ?.checks.find(({ outcome }) => outcome === 'fail');
    expect(realm?.actual).toBe('WWW-Authenticate: Basic realm="LOGIN REQUIRED"');
    const [link] = realm?.exchanges ?? [];
    expect(link).toMatchObject({
      request: { url: expect.stringMatching(/\/people$/) },
      response: { status: 401, body: '{"401":"Need credentials to authenticate"}' },
    });
  });

  test('stay out of the headers that carry them', () => {
    const failed = report.requirements.flatMap((each) => each.checks).flatMap(({ exchanges }) => exchanges);
    const sent = failed.flatMap((link) => (link.kind === 'exchange' ? link.request.headers : []));
    const credentials = sent.filter(([name]) => name === 'Authorization').map(([, value]) => value);
    expect(credentials).toContain('Basic <id 1 and the right paraphrase>');
    const text = JSON.stringify(report);
    for (const { id, paraphrase } of users) expect(text).not.toContain(Buffer.from(`${id}:${paraphrase}`).toString('base64'));
  });

  test('every failure says how often it failed, on which connections, and what clauses it breaks, whichever check found it', () => {
    const { requirements } = parseReport(jsonReport(report), 'report.json');
    const failed = requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
    const engines = new Set<string>();
    for (const { id, clauses, checks } of failed) {
      const { source } = spec.catalogue.requirement(id);
      expect(clauses).toEqual(spec.catalogue.sources.filter(({ point }) => source.includes(point)));
      for (const { engine, rate, exchanges } of checks.filter(({ outcome }) => outcome === 'fail')) {
        engines.add(engine);
        expect(rate !== undefined && rate.failed >= 1 && rate.failed <= rate.of).toBe(true);
        const connections = exchanges.map((each) => each.kind === 'clock' || each.connection !== undefined);
        if (engine === 'laws') expect([connections.length > 0, connections.every(Boolean)]).toEqual([true, true]);
      }
    }
    expect([failed.length > 2, [...engines].sort()]).toEqual([true, ['laws', 'postman']]);
  });
});
