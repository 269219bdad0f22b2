import type { Spec } from '../../spec/index.js';
import { capital, type Finding, sentence, told } from '../finding.js';
import type { User } from '../options.js';
import type { Chain, Exchange, HeaderLine } from '../wire/index.js';
import { quickCollection } from './collection.js';
import { type NewmanEvent, type NewmanLimits, type NewmanProcess, openNewman, steadyMs } from './newman/index.js';
import { clockFolder, leadingTo, neededFor, type PlannedCheck, type PlannedRequest, planned } from './plan/index.js';
import type { CheckResult } from './sandbox/pm.js';

export interface PostmanInput extends Partial<NewmanLimits> {
  readonly spec: Spec;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly collection: string;
  readonly user: User;
  /** A clock that speaks the clock contract. */
  readonly clockUrl?: string;
  readonly timeoutMs: number;
  /** Lines that every request to the target carries. */
  readonly headers?: readonly HeaderLine[];
  readonly signal?: AbortSignal;
  /** A process to run it in, which is left running; without it one is started and ended. */
  readonly newman?: NewmanProcess;
  readonly selected: (requirementId: string) => boolean;
}

export interface PostmanResult {
  readonly findings: Finding[];
  /** Every exchange with the target in order; those with the clock are not among them. */
  readonly exchanges: readonly Exchange[];
  /** What broke in Newman or in the scripts of the collection, which is never the target's mistake. */
  readonly broken: string | undefined;
}

/** Requests about expiry are not handed to Newman without a clock: it takes time even to skip them. */
const noClock = 'no clock was given; expiry needs one';

/** Runs the collection through Newman and tells its tests as findings. Every test that is selected yields one finding. */
export async function runPostman(input: PostmanInput): Promise<PostmanResult> {
  const { spec, baseUrl, collection, user, clockUrl = '', headers, newman, signal, selected, ...limits } = input;
  const folders = planned(spec);
  const requests = folders.flatMap((folder) => folder.requests);
  const wanted = (check: PlannedCheck) => selected(check.requirement);
  const clockless = new Set(clockUrl ? [] : folders.filter(({ id }) => id === clockFolder).flatMap((folder) => folder.requests));
  const sendable = requests.filter((request) => !clockless.has(request));
  const sent = neededFor(sendable, wanted);
  const toClock = sent.filter(({ to }) => to === 'clock').map(({ id }) => id);
  const job = {
    ...{ apartMs: 0, insecure: false, keepAlive: true, ...limits, toClock },
    collection: quickCollection(spec, sent, headers),
    variables: { base_url: baseUrl, collection, user_id: user.id, paraphrase: user.paraphrase, clock_url: clockUrl },
  };
  const seen: Seen = { exchanges: new Map(), results: new Map(), brokenScripts: new Map() };
  const running = newman ?? openNewman();
  const ended =
    sent.length === 0
      ? undefined
      : await running.run(job, (event) => note(event, seen), signal).finally(() => newman === undefined && running.end());
  return {
    findings: requests.flatMap((request) =>
      request.checks.filter(wanted).map((check) => findingOf(check, request, requests, seen, clockless.has(request) ? noClock : ended)),
    ),
    exchanges: [...seen.exchanges].filter(([id]) => !toClock.includes(id)).map(([, exchange]) => exchange),
    broken: brokenAt(sent, seen) ?? (signal?.aborted ? undefined : ended),
  };
}

/** What Newman told of its requests and tests, by the ids of the requests and of the checks. */
interface Seen {
  readonly exchanges: Map<string, Exchange>;
  readonly results: Map<string, CheckResult>;
  readonly brokenScripts: Map<string, string>;
}

function note(event: NewmanEvent, { exchanges, results, brokenScripts }: Seen): void {
  if (event.kind === 'broke') brokenScripts.set(event.id, event.message);
  if (event.kind === 'results') for (const result of event.results) results.set(result.check, result);
  if (event.kind !== 'exchange') return;
  const { kind: _, id, sentAtSteadyMs, answer, ...exchange } = event;
  exchanges.set(id, {
    ...exchange,
    // A buffer arrives from the other process as a bare Uint8Array.
    ...(answer === undefined ? {} : { answer: { ...answer, body: Buffer.from(answer.body) } }),
    sentAtMs: sentAtSteadyMs - steadyMs() + performance.now(),
  });
}

/** The first script that broke: a mistake of the collection, whatever the target sent. */
function brokenAt(requests: readonly PlannedRequest[], { brokenScripts }: Seen): string | undefined {
  const first = requests.find(({ id }) => brokenScripts.has(id));
  return first && `at "${first.name}": ${brokenScripts.get(first.id)}`;
}

function findingOf(
  check: PlannedCheck,
  request: PlannedRequest,
  requests: readonly PlannedRequest[],
  { exchanges, results, brokenScripts }: Seen,
  ended = 'the collection did not judge it',
): Finding {
  const exchange = exchanges.get(request.id);
  const result = results.get(check.id);
  const base = {
    requirement: check.requirement,
    check: check.id,
    engine: 'postman',
    durationMs: Math.round((exchange?.durationMs ?? 0) / request.checks.length),
  } as const;
  if (result?.outcome === 'pass') return { ...base, outcome: 'pass' };
  if (result?.outcome === 'fail') {
    const chain = chainOf(leadingTo(requests, [check.refusal ?? request.id, check.compared ?? []].flat()), exchanges);
    return { ...base, ...result, message: told(result.expected, result.actual), rate: { failed: 1, of: 1 }, chain };
  }
  const broken = brokenScripts.get(request.id);
  const unjudged = broken === undefined ? ended : `the script of the request broke: ${broken}`;
  // The script knows only that no answer came; the exchange says why.
  const why = result && exchange?.problem ? `no answer came: ${exchange.problem.message}` : (result?.reason ?? unjudged);
  return { ...base, outcome: 'untested', message: capital(sentence(why)) };
}

function chainOf(requests: readonly PlannedRequest[], exchanges: ReadonlyMap<string, Exchange>): Chain {
  return requests.flatMap(({ id, advanceMs, to }): Chain => {
    const exchange = exchanges.get(id);
    if (exchange === undefined) return [];
    if (to === 'clock') return advanceMs === undefined ? [] : [{ advancedMs: advanceMs }];
    return [exchange];
  });
}
