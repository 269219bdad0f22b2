import type { Protocol } from '../../../spec/index.js';

/** One test of a request: the requirement it speaks of, what it shows, and the judgement, in the sandbox's language (`h` is the library). */
export interface PlannedCheck {
  readonly requirement: string;
  readonly what: string;
  readonly code: string;
  /** The earlier request that had to be refused; this check, on its accepted control, tells the verdict. */
  readonly refusal?: string;
  /** Requests with which this one is compared, beside those that led to it. */
  readonly also: readonly string[];
}

/** One request of the collection. */
export interface PlannedRequest {
  readonly id: string;
  readonly name: string;
  readonly shows: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Requests that led to this one, by id: what is needed to repeat it. */
  readonly after: readonly string[];
  /** State that must have come about, each with the reason to give when it did not. */
  readonly needs: Readonly<Record<string, string>>;
  /** State that this request brings about; forgotten before it is sent. */
  readonly sets: readonly string[];
  /** Code before the request is sent, and after the answer before the checks. */
  readonly before: string;
  readonly keep: string;
  readonly checks: readonly PlannedCheck[];
  /** How far this request moves the target's clock; such a request goes to the clock and not to the target. */
  readonly advanceMs?: number;
  readonly toClock: boolean;
}

export interface PlannedFolder {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly requests: readonly PlannedRequest[];
}

type Given = Pick<PlannedRequest, 'id' | 'name' | 'shows'> & Partial<PlannedRequest>;

const collectionUrl = '{{base_url}}/{{collection}}';

/** A read of the collection without credentials, changed by what is given. */
export function request(given: Given): PlannedRequest {
  const usual = { method: 'GET', url: collectionUrl, headers: {}, after: [], needs: {}, sets: [], before: '', keep: '', checks: [] };
  return { ...usual, toClock: false, ...given };
}

export function check(requirement: string, what: string, code: string, also: readonly string[] = []): PlannedCheck {
  return { requirement, what, code, also };
}

/** The name of a test, in Postman as in the report. */
export function testName(check: Pick<PlannedCheck, 'requirement' | 'what'>): string {
  return `${check.requirement}: ${check.what}`;
}

function state(name: string): string {
  return `{{hydrauth_${name}}}`;
}

/** The headers of Step B: a nonce and Basic credentials, each from the state named or left out. */
export function exchangeHeaders({ headers, challenge }: Protocol, from: { nonce?: string; credentials?: string }): Record<string, string> {
  return {
    ...(from.nonce === undefined ? {} : { [headers.nonce]: state(from.nonce) }),
    ...(from.credentials === undefined ? {} : { [headers.authorization]: `${challenge.scheme} ${state(from.credentials)}` }),
  };
}

export function tokenHeaders({ headers }: Protocol, token: string): Record<string, string> {
  return { [headers.token]: state(token) };
}

/** Code that keeps whether the answer served the resource. */
export function keepServed(name: string): string {
  return `h.set('${name}', h.served() ? 'yes' : '');`;
}
