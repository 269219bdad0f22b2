import { spec } from '../../spec/index.js';
import type { DrivenClient, Task, TaskResult } from './driving/index.js';
import { credentialsRow, pairRule, rules, type Violation } from './judging/index.js';
import type { Ask, Scenario, Seen } from './scenarios/index.js';
import { openStage, type Site, type Stage } from './stage/index.js';
import { type Log, readTraffic, type Secret, secretIn, secretsOf, type Traffic } from './traffic/index.js';

/** What one rule said of the traffic of a scenario. */
export interface RuleResult {
  readonly row: string;
  readonly tried: number;
  readonly violations: readonly Violation[];
}

/** A scenario that was gone through with a client. */
export interface Enacted {
  readonly scenario: Scenario;
  readonly result: TaskResult;
  readonly seen: Seen;
  readonly log: Log;
  readonly user: Stage['user'];
  readonly tokens: readonly string[];
  readonly byRules: readonly RuleResult[];
  /** The secret that the client printed. */
  readonly printed: Secret | undefined;
}

/** Sets the stage, has the client do what the scenario asks, and reads what was seen. */
export async function enact(scenario: Scenario, client: DrivenClient, saysOnlyFailure = false): Promise<Enacted> {
  const stopping = new AbortController();
  const stage = await openStage(scenario.service, () => stopping.abort());
  const { site, user, log } = stage;
  let result: TaskResult;
  try {
    result = await client.run({ scenario: scenario.id, url: site.url, user, steps: stepsAt(scenario, site), stop: stopping.signal });
  } finally {
    await stage.close();
  }
  const traffic = readTraffic(
    log.requests.filter(({ at }) => at === 'service'),
    spec.protocol,
  );
  const tokens = traffic.tokens.map(({ value }) => value);
  const secrets = secretsOf(user, tokens);
  const seen: Seen = {
    site,
    acts: traffic.acts,
    elsewhere: log.requests.filter(({ at }) => at === 'elsewhere'),
    secrets,
    completed: isCompleted(scenario, site, traffic),
    overrun: log.overrun,
    said: result.said === undefined || (saysOnlyFailure && result.said === 'failure') ? 'unknown' : result.said,
  };
  const context = { user, secrets, requests: log.requests, ended: result.trouble === undefined };
  const judged = [...rules, pairRule(scenario.credentialsRow ?? credentialsRow)];
  return {
    scenario,
    result,
    seen,
    log,
    user,
    tokens,
    byRules: withoutFollowing(
      judged
        .filter(({ row }) => scenario.leavesOut?.includes(row) !== true)
        .map((rule) => ({ row: rule.row, ...rule.judge(traffic, context) })),
    ),
    printed: secretIn(result.output ?? '', secrets),
  };
}

/** A client that never sends its token in the header does not use it again either: one cause, one row. */
function withoutFollowing(results: readonly RuleResult[]): RuleResult[] {
  const isUnsent = results.some(({ row, violations }) => row === 'client.token-sent' && violations.length > 0);
  return results.filter(({ row }) => !(isUnsent && row === 'client.token-reused'));
}

function stepsAt({ steps }: Scenario, { places }: Site): Task['steps'] {
  const request = ({ at, ...rest }: Ask) => ({ url: places[at], ...rest });
  return steps.map((step) => ('parallel' in step ? { parallel: step.parallel.map(request) } : request(step)));
}

/** Whether every request that goes to the service was answered with its resource, as often as it was asked for; a query is the client's own affair. */
function isCompleted({ steps }: Scenario, { places }: Site, { acts }: Traffic): boolean {
  const asked = steps.flatMap((step) => ('parallel' in step ? step.parallel : [step])).filter(({ at }) => at !== 'elsewhere');
  const left = acts
    .filter(({ became }) => became === 'served')
    .map(({ logged: { received } }) => `${received.method} ${received.target.split('?')[0]}`);
  return asked.every(({ at, method = 'GET' }) => {
    const place = left.indexOf(`${method} ${new URL(places[at]).pathname}`);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}
