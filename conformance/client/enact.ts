import type { Spec } from '../../spec/index.js';
import type { DrivenClient, TaskResult } from './driving/index.js';
import { credentialsRow, outputRule, pairRule, type Rule, type Ruling, rules, type Seen } from './judging/index.js';
import type { Scenario } from './scenarios.js';
import { openStage, type Site } from './stage/index.js';
import { type Log, readTraffic, type Traffic } from './traffic/index.js';

/** What one rule said of a stretch of traffic. */
export interface RuleResult extends Ruling {
  readonly row: string;
}

/** A scenario that was gone through with a client. */
export interface Enacted {
  readonly scenario: Scenario;
  readonly result: TaskResult;
  readonly seen: Seen;
  readonly log: Log;
  readonly byRules: readonly RuleResult[];
}

/** Sets the stage, has the client do what the scenario asks, and reads what was seen. */
export async function enact(scenario: Scenario, client: DrivenClient, spec: Spec, saysOnlyFailure = false): Promise<Enacted> {
  const stopping = new AbortController();
  const stage = await openStage(scenario.service, spec, () => stopping.abort());
  const { site, user, log } = stage;
  const steps = scenario.steps.map((step) => step.map(({ at, ...rest }) => ({ url: site.places[at], ...rest })));
  let result: TaskResult;
  try {
    result = await client.run({ scenario: scenario.id, url: site.url, user, steps, stop: stopping.signal });
  } finally {
    await stage.close();
  }
  const { trouble, said, output } = result;
  const traffic = readTraffic(log, spec.protocol, { user, ended: trouble === undefined, output });
  const seen: Seen = {
    ...traffic,
    site,
    completed: isCompleted(scenario, site, traffic),
    overrun: log.overrun,
    said: said === undefined || (saysOnlyFailure && said === 'failure') ? 'unknown' : said,
    asked: steps.flat(),
  };
  const judged = [...rules, pairRule(scenario.credentialsRow ?? credentialsRow), outputRule].filter(
    ({ row, tellsOnly }) => tellsOnly !== true && scenario.leavesOut?.includes(row) !== true,
  );
  const byRules = judgeTraffic(judged, traffic);
  return { scenario, result, seen, log, byRules };
}

/** What the rules say; of one that a violated rule hides nothing is said. */
export function judgeTraffic(judged: readonly Rule[], traffic: Traffic): RuleResult[] {
  const results = judged.map((rule) => ({ row: rule.row, hides: rule.hides, ...rule.judge(traffic) }));
  const hidden = new Set(results.filter(({ violations }) => violations.length > 0).map(({ hides }) => hides));
  return results.filter(({ row }) => !hidden.has(row));
}

/** Whether every request that goes to the service was answered with its resource, as often as it was asked for; a query is the client's own affair. */
function isCompleted({ steps }: Scenario, { places }: Site, { acts }: Traffic): boolean {
  const left = acts
    .filter(({ became }) => became === 'served')
    .map(({ logged: { received } }) => `${received.method} ${received.target.split('?')[0]}`);
  return steps.flat().every(({ at, method = 'GET' }) => {
    if (at === 'elsewhere') return true;
    const place = left.indexOf(`${method} ${new URL(places[at]).pathname}`);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}
