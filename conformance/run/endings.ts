import { truncateBody } from '../evidence/index.js';
import { type Finding, told } from '../finding.js';
import { type Ability, type Ending, inWords, isGranted } from '../oracle/index.js';
import { Trial, Untested } from '../subject/index.js';
import type { Exchange, RequestPlan } from '../wire/index.js';
import type { OpenTarget } from './target.js';

/** So often something must fail in a row, and then when it is tried alone, before it is held to be over. */
const leastFailures = 3;
/** So many of the requests in between are shown; the most peculiar one is the likeliest cause. */
const mostSuspects = 3;

const rows: Readonly<Record<Ability, readonly [requirement: string, expected: string]>> = {
  answers: ['challenge.status', 'a service that has answered goes on answering'],
  logins: ['exchange.status', 'logins that have worked go on working'],
};

/** What worked and then never worked again, with the requests that came between. To be called when everything else is done. */
export async function endingsOf(target: OpenTarget, selected: ReadonlySet<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const ability of ['answers', 'logins'] as const) {
    const [requirement] = rows[ability];
    const ending = selected.has(requirement) ? target.oracle.ended(ability) : undefined;
    if (ending === undefined || ending.failures.length < leastFailures) continue;
    if (!(await staysSo[ability](target, ending))) continue;
    findings.push(findingOf(ability, ending, target));
    // Where nothing is answered, nobody logs in.
    break;
  }
  return findings;
}

const staysSo: Readonly<Record<Ability, (target: OpenTarget, ending: Ending) => Promise<boolean>>> = {
  // The run was given up because of it. A process that is no longer there may have been ended by anybody.
  answers: async (target, { failures }) => target.gone !== undefined && failures.at(-1)?.problem?.code !== 'unreachable',
  async logins(target) {
    for (let tries = 0; tries < leastFailures; tries += 1)
      for (const user of target.users) {
        const trial = new Trial(target);
        const fresh = { freshConnection: true };
        try {
          if (isGranted(await trial.exchange(await trial.challenge(fresh), user, fresh), target.protocol)) return false;
        } catch (error) {
          if (!(error instanceof Untested)) throw error;
          return false;
        }
      }
    return true;
  },
};

function findingOf(ability: Ability, { lastWorked, between, failures }: Ending, { protocol }: OpenTarget): Finding {
  const [requirement, expected] = rows[ability];
  const [first] = failures;
  const suspects = suspectsOf(between);
  const actual = `${inWords(first, protocol)}, and nothing else from then on (failed ${failures.length} of ${failures.length} times)`;
  const after = suspects.at(-1);
  return {
    requirement,
    check: `${requirement}/never-again`,
    engine: 'laws',
    outcome: 'fail',
    isEnding: true,
    expected,
    actual,
    message: `${told(expected, actual)}${after === undefined ? '' : ` The likeliest cause is ${requestWords(after.request)}.`}`,
    chain: [lastWorked, ...suspects, first].filter((each, at, all) => all.indexOf(each) === at).map(truncateBody),
    // Nonces that come twice, say, are told by a row of their own.
    ...(ability === 'logins' ? { about: 'login', doubt: 'other causes' } : {}),
  };
}

/** The most peculiar of the requests in between, in their order, the likeliest cause last. */
function suspectsOf(between: readonly Exchange[]): Exchange[] {
  const ranked = [...between].sort((one, other) => oddityOf(other) - oddityOf(one)).slice(0, mostSuspects);
  return ranked.sort((one, other) => oddityOf(one) - oddityOf(other));
}

function oddityOf({ request, answer }: Exchange): number {
  const { method, target, headers, body, httpVersion } = request;
  const odd = headers.filter(([, value]) => /[^ -~]/.test(value) || value.length > 300).length;
  const lines = headers.length + (method === 'GET' ? 0 : 1) + (body === undefined ? 0 : 1) + (httpVersion === undefined ? 0 : 1);
  const failed = answer === undefined || answer.status >= 500 ? 20 : 0;
  return failed + 10 * odd + lines + (target.length > 200 ? 10 : 0);
}

function requestWords({ method, target, headers }: RequestPlan): string {
  const names = headers.map(([name]) => name);
  return `${method} ${target.slice(0, 80)}${target.length > 80 ? '…' : ''}${names.length === 0 ? '' : ` with ${names.join(', ')}`}`;
}
