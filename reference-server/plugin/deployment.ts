import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type Boom, isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject } from '@hapi/hapi';
import type { Spec } from '../../spec/index.js';
import { type Bases, makeBases } from '../bases.js';
import { httpStatus, linesNamed } from '../http.js';
import {
  type Answer,
  defaultParts,
  type HeaderLine,
  type Incoming,
  isManual,
  type MaybePromise,
  type Parts,
  type PartsContext,
} from '../parts/index.js';
import { memoryStore, redisStore, type Store, withLookup } from '../stores/index.js';
import type { AuthSettings } from './options.js';

/** How much longer than its life Redis keeps a thing: for clocks that differ, or, beside a manual clock, for one that stands still. */
const skewMs = 60_000;
const dayMs = 86_400_000;

const bodyOctets = 65_536;

/** What answers a request. */
export interface Answering {
  readonly parts: Parts;
  readonly bases: Bases;
}

/** A request of Hapi's as the parts see it, and what answers it. */
export interface Asked<By extends Answering = Answering> {
  readonly asked: Incoming;
  readonly by: By;
}

/** What protects a server. */
export interface Deployment<By extends Answering = Answering> {
  readonly spec: Spec;
  readonly basePath: string;
  readonly store: Store;
  /** What answers as long as nothing else is chosen. */
  readonly first: By;
  /** So much of a refused request's body is read at least, for the client's sake. */
  readonly bodyOctets: number;
  /** Chosen and made once a request. */
  askedOf(request: Request): Asked<By>;
  /** The name of the strategy, and whether routes outside the base path are protected by it too. */
  readonly strategy: string;
  readonly asDefault: boolean;
  /** What goes out can be looked at once more: another extension would cost a twentieth. */
  readonly look?: (finish: Lifecycle.Method) => Lifecycle.Method;
}

const listedUsers = ({ users }: AuthSettings) => (typeof users === 'function' ? [] : users);

export function contextOf(settings: AuthSettings, store: Store, collections: readonly string[]): PartsContext {
  const { spec, clock, auth, tokens, refusalSpendsNonce, nonceLifetimeMs, nonceSingleUse } = settings;
  return {
    spec,
    clock,
    store,
    users: listedUsers(settings),
    collections,
    guard: { auth, tokens, refusalSpendsNonce },
    nonce: { lifetimeMs: nonceLifetimeMs, singleUse: nonceSingleUse },
  };
}

/** The plugin as it is registered: with its own parts, unchanged. */
export function deploy(settings: AuthSettings, strategy: string, asDefault: boolean): Deployment {
  const store = makeStore(settings);
  const first = { parts: defaultParts(contextOf(settings, store, [])), bases: makeBases(settings) };
  const { spec, basePath } = settings;
  return { spec, basePath, store, first, bodyOctets, askedOf: asking(() => first), strategy, asDefault };
}

export function makeStore(settings: AuthSettings): Store {
  const { clock, users, store } = settings;
  const listed = listedUsers(settings);
  const kept = store === 'memory' ? memoryStore(listed) : redisStore(store, listed, isManual(clock) ? dayMs : skewMs);
  return typeof users === 'function' ? withLookup(kept, users) : kept;
}

export function asking<By extends Answering>(choose: (req: IncomingMessage) => By): (request: Request) => Asked<By> {
  // A WeakMap of requests would double what a request costs: its entries are collected late.
  const place = Symbol('asked');
  return (request) => {
    const states = request.plugins as Record<symbol, Asked<By> | undefined>;
    const known = states[place];
    if (known !== undefined) return known;
    const { req } = request.raw;
    const by = choose(req);
    const asked: Incoming = {
      method: req.method ?? '',
      target: req.url ?? '',
      path: request.path,
      headers: req.headers,
      rawHeaders: req instanceof IncomingMessage ? req.rawHeaders : Object.entries(request.headers).flat().map(String), // an injected request has none
      base: by.bases.of(req.headers.host),
      raw: request.raw,
      user: undefined,
      found: {},
    };
    const made = { asked, by };
    states[place] = made;
    return made;
  };
}

/** What the request is answered in place of a resource; undefined: it may have one. What no server may read further is refused, whoever asks. */
export function decide({ asked, by: { parts } }: Asked): MaybePromise<Answer | undefined> {
  if (!isUnreadable(asked.raw.req)) return parts.guard.decide(asked, parts);
  asked.raw.res.shouldKeepAlive = false;
  return parts.answers.error(httpStatus.badRequest, asked.base, parts);
}

/** No Host or several (RFC 9112, section 3.2), or a body in a transfer coding other than chunked (section 6.3). */
function isUnreadable({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  if (httpVersion !== '1.1' || rawHeaders === undefined) return false; // an injected request has no lines, and a Host always
  return linesNamed('host', rawHeaders) !== 1;
}

const variety = 'hydrauth';

/** An answer of the parts as a response of Hapi's: the same lines in the same spelling, the same octets. */
export function respond(request: Request, answer: Answer, { asked, by: { parts } }: Asked): ResponseObject {
  const response = request.generateResponse(answer, { variety, marshal: async () => new Octets(answer, asked, parts) });
  addFields(response.headers, answer.headers);
  request.info.acceptEncoding = 'identity'; // a compressed answer has no length
  if (answer.reason !== undefined) response.message(answer.reason);
  return response.code(answer.status);
}

/** The answer that a response was made from, when it is one of these. */
export function answerOf(response: ResponseObject | Boom): Answer | undefined {
  return 'variety' in response && (response.variety as string) === variety ? (response.source as Answer) : undefined;
}

/** What a response sends, also one that is an error, or that a route which somebody has added to the server makes. */
export function sentAnswer(response: ResponseObject | Boom): Answer {
  if (isBoom(response)) {
    const { statusCode, headers, payload } = response.output;
    return { status: statusCode, headers: linesOf(headers), body: payload as unknown as Buffer };
  }
  const own = answerOf(response);
  if (own !== undefined) return own;
  const { statusCode, headers, source } = response;
  const body = Buffer.isBuffer(source) ? source : Buffer.from(typeof source === 'string' ? source : JSON.stringify(source));
  return { status: statusCode, headers: linesOf(headers), body };
}

function linesOf(fields: object): HeaderLine[] {
  return Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each): HeaderLine => [name, String(each)]));
}

/** Lets Hapi send an error as this answer. It stays an error, which Hapi logs. */
export function sendAs(error: Boom, { status, headers, body }: Answer): void {
  const lines = headers.map(([name, value]): HeaderLine => [name.toLowerCase(), value]);
  Object.assign(error.output, { statusCode: status, payload: body, headers: addFields({}, lines) });
}

/** Hapi knows headers in lower case and looks for this one, to set its own where there is none; the others it leaves alone. */
const hapiSets = 'Cache-Control';
const hapiName = hapiSets.toLowerCase();

type Fields = Record<string, string | string[]>;

/** Lines as members of an object, those of one name together. */
function addFields(to: object, lines: readonly HeaderLine[]): Fields {
  const all = to as Fields;
  for (const [line, value] of lines) {
    const name = line === hapiSets ? hapiName : line;
    all[name] = Object.hasOwn(all, name) ? [all[name] as string, value].flat() : value;
  }
  return all;
}

/** The body, without a length of its own: what the answer says of its length, or does not say, is what is sent. */
class Octets extends Readable {
  constructor(
    readonly answer: Answer,
    readonly asked: Incoming,
    readonly parts: Parts,
  ) {
    super();
    asked.raw.res.sendDate = false; // ours stands among the lines
  }

  override _read(): void {
    this.push(this.answer.body);
    this.push(null);
  }

  /** Hapi calls it where nobody listens to what is sent. */
  writeToStream(): void {
    this.parts.wire.send(this.answer, this.asked);
  }
}
