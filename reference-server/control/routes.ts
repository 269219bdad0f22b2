import type { IncomingMessage, ServerResponse } from 'node:http';
import { allow, checkOptions, type OptionCheck, type OptionChecks } from '../../spec/index.js';
import type { ExchangeFilter, Trouble, Use } from '../contract.js';
import { httpStatus } from '../http.js';
import { isManual, type MaybePromise } from '../parts/index.js';
import { filterChecks } from '../recording/index.js';
import { readBody } from '../request-body.js';
import { integer, troubleChecks, useChecks } from '../switching/index.js';
import type { User } from '../users.js';
import { type Controlled, watch } from './events.js';

interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** What stands in the path where the route has a name in braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Gives the body of the answer, unless it answers itself; undefined is a 204. */
type Run = (call: Call, controlled: Controlled) => MaybePromise<unknown>;

/** A call that is refused. The message says what is wrong and what is allowed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(
    status: keyof typeof httpStatus,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = httpStatus[status];
  }
}

const bodyOctets = 65_536;

/** The body as an object; none is an empty one. */
async function bodyOf<T extends object>({ req, res }: Call, checks: OptionChecks<T>): Promise<Partial<T>> {
  const text = await readBody(req, res, bodyOctets);
  if (text === undefined) throw new Refusal('tooLarge', `the body is too large; ${bodyOctets} octets are allowed`);
  const allowed = Object.entries<readonly [string, ...unknown[]]>(checks).map(([name, [value]]) => `${name} (${value})`);
  const refusal = new Refusal('badRequest', `the body is no JSON object; one with ${allowed.join(', ')} is allowed`);
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal;
  checkOptions(body as T, checks);
  return body as Partial<T>;
}

const numbers = ['after', 'status', 'limit', 'timeout'];
/** A text that is no number stays one, so that the complaint shows it. */
const numberIn = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

/** The query as an object: of numbers, where the name is that of one. */
function queryOf<T extends object>(query: URLSearchParams, checks: OptionChecks<T>): Partial<T> {
  const given = Object.fromEntries([...query].map(([name, value]) => [name, numbers.includes(name) ? numberIn(value) : value]));
  checkOptions(given as T, checks);
  return given as Partial<T>;
}

const timeout: OptionCheck = ['a number of seconds from 0 to 300', (value) => typeof value === 'number' && value >= 0 && value <= 300];
const limit = allow.whole(1, Number.MAX_SAFE_INTEGER);
const defaultSeconds = 30;
const time = ({ server: { clock } }: Controlled) => ({ now: new Date(clock.now()).toISOString() });

/** By method and path, with names in braces. */
const all: Readonly<Record<string, Run>> = {
  'GET /exchanges': ({ query }, { recording }) => {
    const { limit: most, ...filter } = queryOf<ExchangeFilter & { readonly limit?: number }>(query, { ...filterChecks, limit });
    const { first, last } = recording;
    return { exchanges: recording.list(filter, most), last, missed: Math.max(0, first - 1 - (filter.after ?? first - 1)) };
  },
  'GET /exchanges/next': ({ query, res }, { recording }) => {
    const given = queryOf<ExchangeFilter & { readonly timeout?: number }>(query, { ...filterChecks, timeout });
    const { timeout: seconds = defaultSeconds, ...filter } = given;
    const hungUp = new AbortController();
    res.once('close', () => hungUp.abort());
    return recording.next(filter, AbortSignal.any([hungUp.signal, AbortSignal.timeout(seconds * 1000)]));
  },
  'GET /exchanges/events': ({ query, req, res }, controlled) => {
    const last = req.headers['last-event-id'];
    if (last !== undefined) query.set('after', String(last));
    watch(res, controlled, queryOf<{ after: number }>(query, { after: filterChecks.after }).after);
  },
  'GET /clock': (_, controlled) => time(controlled),
  'POST /clock': async (call, controlled) => {
    const { clock } = controlled.server;
    const { advanceMs } = await bodyOf<{ advanceMs: number }>(call, { advanceMs: allow.whole(0, Number.MAX_SAFE_INTEGER) });
    if (advanceMs === undefined) throw new Refusal('badRequest', 'advanceMs is missing; a body such as {"advanceMs": 60000} is allowed');
    if (!isManual(clock)) throw new Refusal('conflict', 'the clock is that of the system; one that can be moved needs --clock manual');
    clock.advance({ ms: advanceMs });
    controlled.recording.tell('change');
    return time(controlled);
  },
  'GET /state': (_, { server }) => server.state(),
  'POST /reset': (_, { server }) => server.reset(),
  'GET /users': (_, { server }) => server.users,
  'POST /users': async (call, { server }) =>
    server.addUser((await bodyOf(call, { id: integer, paraphrase: allow.text('a text') })) as User),
  'DELETE /users/{id}': ({ params }, { server }) => server.removeUser(numberIn(params['id'] as string) as number),
  'POST /tokens': async (call, { server, recording }) => {
    const { user } = await bodyOf<{ user: number }>(call, { user: integer });
    const token = await server.issueToken(user);
    const { number, record } = recording.ledger.token(token) ?? {};
    return { number, token, user: record?.user };
  },
  ...endings('token'),
  ...endings('nonce'),
  ...switches('faults'),
  ...switches('variants'),
  'GET /troubles': (_, { server }) => server.troubles.on,
  'POST /troubles': async (call, { server }) => server.troubles.use(await bodyOf<Trouble>(call, troubleChecks)),
  'DELETE /troubles': (_, { server }) => server.troubles.clear(),
  'DELETE /troubles/{number}': ({ params }, { server }) => server.troubles.off(numberIn(params['number'] ?? '') as number),
};

function endings(what: 'token' | 'nonce'): Record<string, Run> {
  return {
    [`POST /${what}s/expire`]: async (call, { server }) => {
      const value = (await bodyOf<Record<string, string>>(call, { [what]: allow.text('a text') }))[what];
      if (value === undefined) throw new Refusal('badRequest', `${what} is missing; a body such as {"${what}": "…"} is allowed`);
      await server.expire(value);
    },
    [`POST /${what}s/{number}/expire`]: ({ params }, { server }) =>
      server.expire({ [what]: Number(params['number']) } as { readonly token: number }),
  };
}

function switches(kind: 'faults' | 'variants'): Record<string, Run> {
  return {
    [`GET /${kind}`]: (_, { server }) => server[kind].list(),
    [`PUT /${kind}/{id}`]: async (call, { server }) => server[kind].use(call.params['id'] as string, await bodyOf<Use>(call, useChecks)),
    [`DELETE /${kind}/{id}`]: ({ params }, { server }) => server[kind].off(params['id'] as string),
  };
}

const routes = Object.entries(all).map(([key, run]) => {
  const [method, path] = key.split(' ') as [string, string];
  return { method, path, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>[^/]+)`)}$`), run };
});

/** The route of a call; throws where there is none, and says which there are. */
export function find(method: string, path: string): { readonly run: Run; readonly params: Readonly<Record<string, string>> } {
  const there = routes.filter(({ pattern }) => pattern.test(path));
  const route = there.find((each) => each.method === method);
  if (route !== undefined) return { run: route.run, params: decoded(route.pattern.exec(path)?.groups ?? {}) };
  const methods = there.map((each) => each.method).join(', ');
  if (methods !== '') throw new Refusal('methodNotAllowed', `${method} is not allowed here; ${methods} is`, { Allow: methods });
  const paths = [...new Set(routes.map((each) => each.path))].sort().join(', ');
  throw new Refusal('notFound', `there is nothing at ${path}; allowed are ${paths}`);
}

function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new Refusal('badRequest', 'the path is not percent-encoded as it should be; UTF-8 is allowed');
  }
}
