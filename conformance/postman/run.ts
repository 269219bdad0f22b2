import type { Spec } from '../../spec/index.js';
import type { Finding } from '../finding.js';
import type { User } from '../options.js';
import { Heard } from './findings.js';
import { postmanCollection } from './generate.js';
import { maxAnswerBytes, type NewmanProcess, type Order, openNewman } from './newman/index.js';
import { clockFolder, neededFor, type PlannedCheck, type PlannedRequest, planned } from './plan/index.js';
import { type Item, prepared } from './prepare.js';

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
  /** False for a target that attends to one connection at a time. */
  readonly keepAlive?: boolean;
  readonly signal?: AbortSignal;
  /** A process to run it in, which stays; one of its own otherwise. */
  readonly newman?: NewmanProcess;
  readonly selected: (requirementId: string) => boolean;
}

export interface PostmanResult {
  readonly findings: Finding[];
  /** How many requests were sent to the target; those to the clock are not counted. */
  readonly requests: number;
  /** What kept Newman from judging, as sentences. */
  readonly problems: string[];
}

/** Without a clock Newman would only skip these, at the price of starting each. */
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
  const heard = new Heard();
  const order = {
    collection: prepared(only(collectionOf(input), sent)),
    variables: variablesOf(input),
    timeoutMs: input.timeoutMs,
    maxAnswerBytes,
    toClock: sent.filter(({ toClock }) => toClock).map(({ id }) => id),
    insecure: input.insecure ?? false,
    keepAlive: input.keepAlive ?? true,
    ...(input.ca === undefined ? {} : { ca: input.ca }),
  };
  const ended = sent.length === 0 ? undefined : await carryOut(input, order, heard);
  return {
    findings: requests.flatMap((request) =>
      request.checks.filter(wanted).map((check) => heard.finding(requests, request, check, clockless.has(request) ? noClock : ended)),
    ),
    requests: sent.filter(({ id, toClock }) => !toClock && heard.exchanges.has(id)).length,
    problems: [...(ended === undefined ? [] : [`${ended}.`]), ...heard.problems(sent)],
  };
}

async function carryOut({ newman, signal }: PostmanInput, order: Order, heard: Heard): Promise<string | undefined> {
  const running = newman ?? openNewman();
  try {
    return await running.run(order, (news) => heard.hear(news), signal);
  } finally {
    if (newman === undefined) running.end();
  }
}

function collectionOf({ collectionText, spec }: PostmanInput): Item {
  return (collectionText === undefined ? postmanCollection(spec) : JSON.parse(collectionText)) as Item;
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
