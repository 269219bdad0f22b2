import type { Spec } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import type { User } from '../options.js';
import type { Exchange, HeaderLine } from '../wire/index.js';
import { postmanCollection } from './generate.js';
import { maxAnswerBytes, type NewmanJob, type NewmanProcess, openNewman } from './newman/index.js';
import { type Item, withOneScript } from './one-script.js';
import { clockFolder, neededFor, type PlannedCheck, type PlannedRequest, planned } from './plan/index.js';
import { NewmanResults } from './results.js';

export interface PostmanInput {
  readonly spec: Spec;
  /** The collection to run instead of the one generated from the spec. */
  readonly collectionText?: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly collection: string;
  readonly user: User;
  /** A clock that speaks the clock contract. */
  readonly clockUrl?: string;
  readonly timeoutMs: number;
  /** Certificates in PEM text. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Lines that every request to the target carries. */
  readonly headers?: readonly HeaderLine[];
  /** False for a target that attends to one connection at a time. */
  readonly keepAlive?: boolean;
  readonly signal?: AbortSignal;
  /** When it may send its first request, and how many milliseconds must lie between two; at once and none where it is not given. */
  readonly allowed?: Promise<number>;
  /** A process to run it in, which is left running; without it one is started and ended. */
  readonly newman?: NewmanProcess;
  readonly selected: (requirementId: string) => boolean;
}

export interface PostmanResult {
  readonly findings: Finding[];
  /** Every exchange with the target in order; those with the clock are not among them. */
  readonly exchanges: readonly Exchange[];
  /** How many exchanges there are. */
  readonly requests: number;
  /** What broke in Newman or in the scripts of the collection, which is never the target's mistake. */
  readonly broken: string | undefined;
}

/** Requests about expiry are not handed to Newman without a clock: it takes time even to skip them. */
const noClock = 'no clock was given; expiry needs one';

/** Runs the collection through Newman and tells its tests as findings. Every test that is selected yields one finding. */
export async function runPostman(input: PostmanInput): Promise<PostmanResult> {
  const folders = planned(input.spec);
  const requests = folders.flatMap((folder) => folder.requests);
  const wanted = (check: PlannedCheck) => input.selected(check.requirement);
  const clockless = new Set(input.clockUrl ? [] : folders.filter(({ id }) => id === clockFolder).flatMap((folder) => folder.requests));
  const sent = neededFor(
    requests.filter((request) => !clockless.has(request)),
    wanted,
  );
  const results = new NewmanResults();
  const toClock = sent.filter((request) => request.toClock).map(({ id }) => id);
  const job = {
    collection: withHeaders(withOneScript(only(collectionOf(input), sent)), input.headers ?? [], toClock),
    variables: variablesOf(input),
    timeoutMs: input.timeoutMs,
    maxAnswerBytes,
    toClock,
    insecure: input.insecure ?? false,
    keepAlive: input.keepAlive ?? true,
    ...(input.ca === undefined ? {} : { ca: input.ca }),
  };
  const ended = sent.length === 0 ? undefined : await runJob(input, job, results);
  const exchanges = [...results.exchanges].filter(([id]) => !job.toClock.includes(id)).map(([, exchange]) => exchange);
  return {
    findings: requests.flatMap((request) =>
      request.checks.filter(wanted).map((check) => results.finding(requests, request, check, clockless.has(request) ? noClock : ended)),
    ),
    exchanges,
    requests: exchanges.length,
    broken: results.broken(sent) ?? (input.signal?.aborted ? undefined : ended),
  };
}

async function runJob(
  { newman, signal, allowed = Promise.resolve(0) }: PostmanInput,
  job: NewmanJob,
  results: NewmanResults,
): Promise<string | undefined> {
  const running = newman ?? openNewman();
  try {
    return await running.run(job, (event) => results.add(event), allowed, signal);
  } finally {
    if (newman === undefined) running.end();
  }
}

function collectionOf({ collectionText, spec }: PostmanInput): Item {
  return (collectionText === undefined ? postmanCollection(spec) : JSON.parse(collectionText)) as Item;
}

/** The collection, each of whose requests to the target carries these lines, in place of those of the same name in it. */
function withHeaders(collection: Item, lines: readonly HeaderLine[], toClock: readonly string[]): Item {
  const given = lines.map(([key, value]) => ({ key, value }));
  const names = new Set(lines.map(([name]) => name.toLowerCase()));
  const carrying = (item: Item): Item => {
    const request = item.request as { readonly header?: readonly { readonly key: string }[] } | undefined;
    return request === undefined || toClock.includes(item.id ?? '')
      ? item
      : { ...item, request: { ...request, header: [...others(request.header), ...given] } };
  };
  const others = (header: readonly { readonly key: string }[] = []) => header.filter(({ key }) => !names.has(key.toLowerCase()));
  return { ...collection, item: (collection.item ?? []).map(carrying) };
}

/** The collection without the requests that nothing selected needs. */
function only(collection: Item, requests: readonly PlannedRequest[]): Item {
  const ids = new Set(requests.map(({ id }) => id));
  const kept = (item: Item): Item[] => {
    if (item.item === undefined) return ids.has(item.id ?? '') ? [item] : [];
    const inside = item.item.flatMap(kept);
    return inside.length === 0 ? [] : [{ ...item, item: inside }];
  };
  return { ...collection, item: (collection.item ?? []).flatMap(kept) };
}

function variablesOf({ baseUrl, collection, user, clockUrl }: PostmanInput): Record<string, string> {
  return { base_url: baseUrl, collection, user_id: user.id, paraphrase: user.paraphrase, clock_url: clockUrl ?? '' };
}
