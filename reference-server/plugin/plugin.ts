import { readFileSync } from 'node:fs';
import { emitWarning } from 'node:process';
import { unauthorized } from '@hapi/boom';
import type { Lifecycle, NamedPlugin, Request, Server, ServerAuthScheme } from '@hapi/hapi';
import { OptionError, packageFile } from '../../spec/index.js';
import { answerMalformed } from '../malformed.js';
import { after } from '../stores/index.js';
import { type Deployment, decide, deploy } from './deployment.js';
import { belowBase, everyAnswer } from './every-answer.js';
import { type HydraAuthOptions, readAuthOptions } from './options.js';
import { respond } from './respond.js';

declare module '@hapi/hapi' {
  interface UserCredentials {
    /** Of the user whose token, or whose credentials, the request carries. */
    readonly id: number;
  }
  interface ReqRefDefaults {
    AuthCredentialsExtra: Record<string, unknown> & { readonly user: UserCredentials };
  }
}

const { name, version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { name: string; version: string };

/** The name of the strategy, for routes that name it. */
export const strategy = 'hydrauth';
const scheme = 'hydra-token';

/** Token authentication for every address below the base path. It can be registered again for another one. */
export const plugin: NamedPlugin<HydraAuthOptions> & { readonly version: string } = {
  name,
  version,
  multiple: true,
  register(server, options) {
    const settings = readAuthOptions(options);
    const others = registered.get(server.listener) ?? [];
    const overlapping = others.find((other) => isWithin(other, settings.basePath) || isWithin(settings.basePath, other));
    if (overlapping !== undefined) {
      const where = (path: string) => (path === '' ? 'the whole server' : path);
      throw new OptionError('basePath', `${where(settings.basePath)} is not allowed; ${where(overlapping)} is protected already`);
    }
    if (options.asDefault === true && server.auth.settings.default)
      throw new OptionError('asDefault', 'true is not allowed; the server has a default strategy of its own');
    const wanted = options.strategy ?? (others.length === 0 ? strategy : `${strategy}${settings.basePath}`);
    protect(server, deploy(settings), { strategy: wanted, asDefault: options.asDefault === true });
    server.ext('onPreStart', () => warnOfCors(server, settings.basePath));
  },
};

/** The base paths that are protected, by the listener, which every plugin of a server sees. */
const registered = new WeakMap<object, readonly string[]>();

const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`) || outer === '';

function warnOfCors(server: Server, basePath: string): void {
  const paths = server.table().filter(({ path, settings }) => {
    const { cors } = settings as { readonly cors?: false | { readonly origin?: unknown } };
    return isWithin(path, basePath) && cors && cors.origin !== 'ignore';
  });
  if (paths.length === 0) return;
  const which = paths.length === 1 ? `The route ${paths[0]?.path} has` : `${paths.length} routes below ${basePath || '/'} have`;
  const allowed = "switch it off there, or set its origin to 'ignore'; the plugin answers preflights itself";
  emitWarning(`${which} cors on, by which Hapi sends another origin than the protocol asks for: ${allowed}`, { code: 'HYDRAUTH_CORS' });
}

interface Registration {
  readonly strategy: string;
  /** Whether routes outside the base path are protected too. */
  readonly asDefault: boolean;
  /** What goes out can be looked at once more: another extension would cost a twentieth. */
  readonly look?: ((finish: Lifecycle.Method) => Lifecycle.Method) | undefined;
}

/** Where the life cycle of a server meets the protocol. */
export function protect(server: Server, deployment: Deployment, { strategy, asDefault, look = (finish) => finish }: Registration): void {
  const { store, first, basePath } = deployment;
  const others = registered.get(server.listener);
  registered.set(server.listener, [...(others ?? []), basePath]);
  if (others === undefined) {
    server.auth.scheme(scheme, hydraScheme);
    answerMalformed(server.listener, first.bases, first.parts);
  }
  server.auth.strategy(strategy, scheme, deployment);
  if (asDefault) server.auth.default(strategy);
  else server.ext('onPreAuth', guardRoutes(deployment, strategy));
  server.ext('onPreResponse', look(everyAnswer(deployment)));
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  server.events.on('start', () => first.bases.listensAt(server.info.uri));
}

/** Protects routes below the base path that say nothing of authentication. A default strategy of the server finds them authenticated, and lets them pass. */
function guardRoutes(deployment: Deployment, strategy: string): Lifecycle.Method {
  const isBelow = belowBase(deployment);
  return (request, h) => {
    if (!isBelow(request) || request.route.settings.auth !== undefined) return h.continue;
    const letIn = (auth: object) => {
      Object.assign(request.auth, { isAuthenticated: true, isAuthorized: true, strategy, mode: 'required', ...auth });
      return h.continue;
    };
    if (request.auth.credentials) return letIn({}); // those of `inject`
    const ask = deployment.askedOf(request);
    return after(decide(ask), (answer) => {
      const { user } = ask.asked;
      if (answer !== undefined) return respond(request, answer, ask).takeover();
      return letIn({ credentials: user === undefined ? {} : { user: { id: user } } });
    });
  };
}

/** Rules 2 to 4: a token is honoured, nonce and credentials are exchanged for one, and everybody else is challenged. */
const hydraScheme: ServerAuthScheme = (_server, options) => {
  const { spec, askedOf } = options as Deployment;
  const { headers, challenge } = spec.protocol;
  const carriers = [headers.authorization, headers.nonce, headers.token].map((name) => name.toLowerCase());
  return {
    authenticate(request, h) {
      const ask = askedOf(request);
      return after(decide(ask), (answer) => {
        const { user } = ask.asked;
        if (answer === undefined) return h.authenticated({ credentials: user === undefined ? {} : { user: { id: user } } });
        if (answer.status !== challenge.status || !goesOn(request)) return respond(request, answer, ask).takeover();
        const carries = carriers.some((name) => request.headers[name] !== undefined);
        return h.unauthenticated(unauthorized(carries ? 'Invalid credentials' : null, challenge.scheme)); // null: Hapi takes them for missing
      });
    },
  };
};

/** Whether the route is served without credentials too, or asks another strategy for them. */
function goesOn({ auth, route }: Request): boolean {
  const { strategies = [] } = (route.settings.auth || {}) as { readonly strategies?: readonly string[] };
  return auth.mode === 'try' || auth.mode === 'optional' || strategies.length > 1;
}
