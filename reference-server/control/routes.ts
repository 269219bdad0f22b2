import { exchangeRoutes } from './exchanges.js';
import { Refusal } from './refusal.js';
import type { Routes } from './route.js';
import { stateRoutes } from './state.js';
import { switchRoutes } from './switches.js';

const all: Routes = { ...exchangeRoutes, ...stateRoutes, ...switchRoutes };

interface Route {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly run: Routes[string];
}

const routes: readonly Route[] = Object.entries(all).map(([key, run]) => {
  const [method, path] = key.split(' ') as [string, string];
  return { method, path, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>[^/]+)`)}$`), run };
});

export const eventsPath = '/exchanges/events';

/** The route of a call; throws where there is none, and says which there are. */
export function find(method: string, path: string): { readonly run: Routes[string]; readonly params: Readonly<Record<string, string>> } {
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
