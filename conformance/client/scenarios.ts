import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { parse } from 'yaml';
import { mapHeader, type Answer as Sent, withBody, withHeader } from '../../reference-server/index.js';
import { type Protocol, packageFile } from '../../spec/index.js';
import { tokenOf } from '../expect/index.js';
import type { Answer } from '../wire/index.js';
import type { ReadRequest } from './options.js';
import { type Act, isLogin, type Received } from './traffic.js';

/** Where a client can be sent. */
type Place = 'first' | 'second' | 'odd' | 'vocabulary' | 'missing' | 'elsewhere';

export type Site = Readonly<Record<'base' | Place, string>>;

/** The state of the service in a scenario: data. Without anything it is the reference server. */
export interface ServiceState {
  readonly variants?: readonly string[];
  /** The collections have the names that variants know, not random ones. */
  readonly usualCollections?: true;
  /** The paraphrase of the user, where it is not a random word. */
  readonly paraphrase?: string;
  readonly wrongParaphrase?: true;
  /** The tokens end when so many requests were served. */
  readonly expireAfterServed?: readonly number[];
  /** Requests that the service does not answer by itself. */
  readonly replies?: Reply;
  readonly written?: keyof typeof writers;
  /** What the second origin does. Default: it serves everybody. */
  readonly elsewhere?: 'challenges';
  readonly requestLimit?: number;
}

interface Reply {
  /** What such a request brings: a token, a login, or neither. */
  readonly to: 'token' | 'login' | 'neither';
  /** Where it goes; anywhere when not given. */
  readonly at?: Place;
  /** Another status, with the place that a redirect leads to; or what the service says to a request without the token. */
  readonly gives: { readonly status: number; readonly location?: Place } | 'answer to a stranger';
}

type Step = Place | 'post';

/** A state of the service, what the client is asked, and the rows that this shows something of: data, and nothing else. */
export interface Scenario {
  readonly id: string;
  /** What is given, as a sentence. */
  readonly given: string;
  readonly service?: ServiceState;
  /** What the client is asked in turn; what stands in one step is asked at once. */
  readonly steps?: readonly (Step | readonly Step[])[];
  /** The rows that it is made for: those that it judges or observes by itself, and those of all traffic that it exercises. */
  readonly rows: readonly string[];
  /** The row that tells wrong credentials here, in place of the usual one. */
  readonly credentialsRow?: string;
  /** Rows judged on all traffic that this scenario makes no sense for. */
  readonly leavesOut?: readonly string[];
  /** Rows without which it shows nothing: where one of them fails, what it judges itself is untested. */
  readonly buildsOn?: readonly string[];
}

const post = {
  method: 'POST',
  body: JSON.stringify({ name: 'Bücher & «Blätter»', note: 'x'.repeat(3000) }),
  headers: { 'Content-Type': 'application/json', 'X-Purpose': 'inventory' },
};

/** What the client is asked in turn, with whole addresses. */
export function requestsOf({ steps = ['first'] }: Scenario, site: Site): ReadRequest[][] {
  return steps.map((step) => [step].flat().map((each) => (each === 'post' ? { url: site.first, ...post } : { url: site[each] })));
}

const written: { readonly scenarios: readonly Scenario[]; readonly services: readonly (readonly string[])[] } = parse(
  readFileSync(packageFile('conformance', 'client', 'scenarios.yaml'), 'utf8'),
);

const serviceOf = (id: string, variants: readonly string[]): Scenario => ({
  id,
  given: `The service is ${variants.length === 1 ? 'the variant' : 'at once the variants'} ${variants.join(', ')}.`,
  service: { variants, usualCollections: true },
  steps: ['first', 'second', 'vocabulary'],
  rows: ['client.other-services'],
  leavesOut: ['client.token-reused', 'client.token-sent'],
});

export const scenarios: readonly Scenario[] = [
  ...written.scenarios,
  ...written.services.map((variants, index) => serviceOf(`services-${index + 1}`, variants)),
];

/** The same of each variant of a group alone; nothing of any other scenario. */
export function alone({ service: { variants = [] } = {} }: Scenario): Scenario[] {
  return variants.length > 1 ? variants.map((variant) => serviceOf(`service-${variant}`, [variant])) : [];
}

const parts = (target: string) => {
  const [path = '', query = ''] = target.replace(/%../g, (octet) => octet.toUpperCase()).split(/\?(.*)/s);
  return { path, query: query.split('&') };
};

/** Whether a request goes to this path, with everything of its query; what a client adds to a query is its own affair. */
export function goesTo({ target }: { readonly target: string }, address: string): boolean {
  const [here, there] = [parts(target), parts(address.slice(new URL(address).origin.length))];
  return here.path === there.path && there.query.every((each) => here.query.includes(each) || each === '');
}

/** What the reply of a scenario makes of a request: an answer, another request for the service, or nothing. */
export function replyTo(
  { to, at, gives }: Reply,
  received: Received,
  act: Act,
  site: Site,
  protocol: Protocol,
): Answer | Received | undefined {
  const brings = act.token !== undefined ? 'token' : isLogin(act) ? 'login' : 'neither';
  if (brings !== to || (at !== undefined && !goesTo(received, site[at]))) return undefined;
  if (gives === 'answer to a stranger') return withTokenLine(received, undefined, protocol);
  const { status, location } = gives;
  return documentAnswer(status, { [status]: STATUS_CODES[status] }, location ? { Location: site[location] } : {}, protocol);
}

/** The request with another token, or with none. */
function withTokenLine(received: Received, token: string | undefined, { headers }: Protocol): Received {
  const others = received.headers.filter(([name]) => name.toLowerCase() !== headers.token.toLowerCase());
  return { ...received, headers: token === undefined ? others : [...others, [headers.token, token]] };
}

/** A second origin, which must never hear a secret, challenges as the service does, or serves everybody. */
export function answerElsewhere(does: 'challenges' | undefined, protocol: Protocol): Answer {
  const { challenge, headers } = protocol;
  if (does === undefined) return documentAnswer(200, { '@id': '#elsewhere' }, {}, protocol);
  const more = { [headers.authenticate]: challenge.authenticate, [headers.nonce]: randomUUID() };
  return documentAnswer(challenge.status, challenge.body, more, protocol);
}

function documentAnswer(status: number, document: object, more: Record<string, string>, { mediaType, headers }: Protocol): Answer {
  const body = Buffer.from(JSON.stringify(document));
  const lines = { [headers.contentType]: mediaType, [headers.contentLength]: String(body.length), ...more };
  return { status, reason: STATUS_CODES[status] ?? '', httpVersion: '1.1', headers: Object.entries(lines), body };
}

const page = '<!doctype html><title>Login</title><form action="/login"></form>';

/** What makes the newer token of an answer out of the token of the request. */
const mark = 'c0dec0de';

type Writer = (answer: Sent, protocol: Protocol, received: Received) => Sent;

const onChallenge =
  (change: Writer): Writer =>
  (answer, protocol, received) =>
    answer.status === protocol.challenge.status ? change(answer, protocol, received) : answer;

/** How the answer to a request is written in a scenario that says so. */
export const writers = {
  'names in capitals': (answer) => ({ ...answer, headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value] as const) }),
  // Of these two headers alone: a blank in a length, say, is nothing that every server may write.
  'blanks around nonce and token': (answer, { headers }) =>
    [headers.nonce, headers.token].reduce((made, name) => mapHeader(made, name, (value) => `  ${value} \t `), answer),
  'challenge without body': onChallenge((answer, { headers }) => withBody(answer, '', headers.contentLength)),
  'challenge as page': onChallenge((answer, { headers }) =>
    mapHeader(withBody(answer, page, headers.contentLength), headers.contentType, () => 'text/html'),
  ),
  'unknown members': (answer, { headers }) => {
    const text = answer.body.toString('utf8');
    const more = text.replace(/^\{/, '{"next": null, "more": [{"a": {"b": "c"}}], ');
    return more === text ? answer : withBody(answer, more, headers.contentLength);
  },
  'newer tokens': (answer, protocol, received) => {
    const token = tokenOf(received, protocol);
    if (token === undefined || answer.status >= 300 || tokenOf(answer, protocol) !== undefined) return answer;
    return withHeader(answer, protocol.headers.token, `${token.replace(mark, '')}${mark}`);
  },
} satisfies Readonly<Record<string, Writer>>;

/** The request as the service knows it: a newer token that only the scenario gave stands for the one before. */
export function asKnown(received: Received, protocol: Protocol): Received {
  const token = tokenOf(received, protocol);
  return token?.endsWith(mark) ? withTokenLine(received, token.slice(0, -mark.length), protocol) : received;
}
