import { isUtf8 } from 'node:buffer';
import { count, type Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import { type Finding, told } from '../finding.js';
import { type Ending, inWords, isGranted } from '../oracle/index.js';
import { Trial, Untested } from '../subject/index.js';
import { type Exchange, fromTarget, headerValues, type RequestPlan } from '../wire/index.js';
import type { OpenTarget } from './target.js';

/** So often something must fail in a row, and then when it is tried alone, before it is held to be over. */
const leastFailures = 3;
/** So many of the requests in between are shown; the most unusual one is the likeliest cause. */
const mostSuspects = 3;
/** So many headers of a request are named. */
const mostNames = 6;
const requirement = 'exchange.status';
const expected = 'a login that worked before still works';

/** Whether logins worked and then never again, with the requests that came between. To be called when everything else is done. */
export async function endedLogins(target: OpenTarget, selected: ReadonlySet<string>): Promise<Finding[]> {
  const ending = selected.has(requirement) ? target.oracle.ended('logins') : undefined;
  if (ending === undefined || ending.failures.length < leastFailures || (await someoneLogsIn(target))) return [];
  return [findingOf(ending, target)];
}

/** On connections of their own, so that nothing that was asked before matters. */
async function someoneLogsIn(target: OpenTarget): Promise<boolean> {
  const fresh = { freshConnection: true };
  for (let tries = 0; tries < leastFailures; tries += 1)
    for (const user of target.users) {
      const trial = new Trial(target);
      try {
        if (isGranted(await trial.exchange(await trial.challenge(fresh), user, fresh), target.protocol)) return true;
      } catch (error) {
        if (!(error instanceof Untested)) throw error;
        return true;
      }
    }
  return false;
}

function findingOf({ lastWorked, between, failures }: Ending, { protocol }: OpenTarget): Finding {
  const [first] = failures;
  const suspects = suspectsOf(between, protocol);
  const actual = `${inWords(first, protocol)} from then on, every time`;
  const after = suspects.at(-1);
  return {
    requirement,
    check: `${requirement}/never-again`,
    engine: 'laws',
    outcome: 'fail',
    expected,
    actual,
    message: `${told(expected, actual)}${after === undefined ? '' : ` The likeliest cause is ${requestWords(after.request)}.`}`,
    chain: [lastWorked, ...suspects, first].filter((each, at, all) => all.indexOf(each) === at).map(truncateBody),
    rate: { failed: failures.length, of: failures.length },
    about: 'login',
    // Nonces that come twice, say, are told by a row of their own.
    doubt: 'other causes',
  };
}

/** Of a target that stopped answering: the most unusual of the requests before that. Whether it is the cause, nobody can ask any more. */
export function lastUnusual({ oracle, protocol }: OpenTarget): string {
  const suspect = suspectsOf(oracle.ended('answers')?.between ?? [], protocol).at(-1);
  return suspect === undefined ? '' : ` The most unusual request before it was ${requestWords(suspect.request)}.`;
}

/** The most unusual of the requests in between, the likeliest cause last. */
function suspectsOf(between: readonly Exchange[], protocol: Protocol): Exchange[] {
  return [...between].sort((one, other) => oddityOf(one, protocol) - oddityOf(other, protocol)).slice(-mostSuspects);
}

function oddityOf({ request, answer }: Exchange, protocol: Protocol): number {
  const { method, target, headers, body, httpVersion } = request;
  const credentials = headerValues(request, protocol.headers.authorization).map((each) =>
    Buffer.from(each.slice(each.indexOf(' ')), 'base64'),
  );
  const broken = credentials.filter((octets) => !isUtf8(octets) || !octets.includes(':')).length;
  const odd = 2 * broken + headers.filter(([, value]) => /[^ -~]/.test(value) || value.length > 300).length;
  const lines = Math.min(headers.length, 9) + [method !== 'GET', body !== undefined, httpVersion !== undefined].filter(Boolean).length;
  const failed = answer === undefined || answer.status >= 500 ? 20 : 0;
  return failed + 10 * odd + lines + (target.length > 200 ? 10 : 0);
}

/** Without the values of headers, some of which are secret. */
export function requestWords({ method, target, headers }: RequestPlan): string {
  const all = headers.map(([name]) => name);
  const shown = all.length > mostNames ? all.filter((name) => !/-\d+$/.test(name)).slice(0, mostNames) : all;
  const names = [...shown, ...(all.length > shown.length ? [count(all.length - shown.length, 'more header line')] : [])];
  const address = target.length > 80 ? `${target.slice(0, 80)}…` : target;
  return `${method} ${fromTarget(address)}${names.length === 0 ? '' : ` with ${names.join(', ')}`}`;
}
