import { allow, type OptionCheck } from '../../spec/index.js';
import { isManual, type MaybePromise } from '../parts/index.js';
import { type ExchangeFilter, filterChecks, type Recording } from '../recording/index.js';
import type { Steering } from '../running-server.js';
import { integer, type Trouble, troubleChecks, type Use, useChecks } from '../switching/index.js';
import type { User } from '../users.js';
import { bodyOf, type Call, numberIn, queryOf, Refusal } from './call.js';

/** What the routes work on. */
export interface Controlled {
  readonly server: Steering;
  readonly recording: Recording;
  /** Tells those who watch that something changed which no exchange tells of. */
  changed(): void;
}

/** Gives the body of the answer; undefined is a 204. */
type Run = (call: Call, controlled: Controlled) => MaybePromise<unknown>;

const timeout: OptionCheck = ['a number of seconds from 0 to 300', (value) => typeof value === 'number' && value >= 0 && value <= 300];
const count = allow.whole(0, Number.MAX_SAFE_INTEGER);
const numbers = ['after', 'status', 'limit', 'timeout'];
const defaultSeconds = 30;

/** By method and path, with names in braces. */
const all: Readonly<Record<string, Run>> = {
  'GET /exchanges': ({ query }, { recording }) => {
    const checks = { ...filterChecks, limit: allow.whole(1, Number.MAX_SAFE_INTEGER) };
    const { limit, ...filter } = queryOf<ExchangeFilter & { readonly limit?: number }>(query, checks, numbers);
    const { first, last } = recording.recorder;
    return { exchanges: recording.list(filter, limit), last, missed: Math.max(0, first - 1 - (filter.after ?? first - 1)) };
  },
  'GET /exchanges/next': ({ query, res }, { recording }) => {
    const checks = { ...filterChecks, timeout };
    const { timeout: seconds = defaultSeconds, ...filter } = queryOf<ExchangeFilter & { readonly timeout?: number }>(
      query,
      checks,
      numbers,
    );
    const hungUp = new AbortController();
    res.once('close', () => hungUp.abort());
    return recording.next(filter, AbortSignal.any([hungUp.signal, AbortSignal.timeout(seconds * 1000)]));
  },
  'GET /clock': (_, controlled) => time(controlled),
  'POST /clock': async (call, controlled) => {
    const { clock } = controlled.server;
    const { advanceMs } = await bodyOf<{ advanceMs: number }>(call, { advanceMs: count });
    if (advanceMs === undefined) throw new Refusal('badRequest', 'advanceMs is missing; a body such as {"advanceMs": 60000} is allowed');
    if (!isManual(clock)) throw new Refusal('conflict', 'the clock is that of the system; one that can be moved needs --clock manual');
    clock.advance({ ms: advanceMs });
    controlled.changed();
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

function time({ server: { clock } }: Controlled) {
  return { now: new Date(clock.now()).toISOString() };
}

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

export const eventsPath = '/exchanges/events';

/** The route of a call; throws where there is none, and says which there are. */
export function find(method: string, path: string): { readonly run: Run; readonly params: Readonly<Record<string, string>> } {
  const there = routes.filter(({ pattern }) => pattern.test(path));
  const route = there.find((each) => each.method === method);
  if (route !== undefined) return { run: route.run, params: decoded(route.pattern.exec(path)?.groups ?? {}) };
  const methods = path === eventsPath ? 'GET' : there.map((each) => each.method).join(', ');
  if (methods !== '') throw new Refusal('methodNotAllowed', `${method} is not allowed here; ${methods} is`, { Allow: methods });
  const paths = [...new Set([...routes.map((each) => each.path), eventsPath])].sort().join(', ');
  throw new Refusal('notFound', `there is nothing at ${path}; allowed are ${paths}`);
}

function decoded(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new Refusal('badRequest', 'the path is not percent-encoded as it should be; UTF-8 is allowed');
  }
}
