import { readFileSync } from 'node:fs';
import { emitWarning } from 'node:process';
import { type Boom, isBoom, unauthorized } from '@hapi/boom';
import type { Lifecycle, NamedPlugin, Request, ResponseObject, ResponseToolkit, Server, ServerAuthScheme } from '@hapi/hapi';
import { OptionError, packageFile } from '../../spec/index.js';
import { StoreUnavailable } from '../errors.js';
import { httpStatus } from '../http.js';
import { answerMalformed } from '../malformed.js';
import type { HeaderLine } from '../parts/index.js';
import { discardBody, hasBody } from '../request-body.js';
import { after } from '../stores/index.js';
import { type Asked, answerOf, type Deployment, decide, deploy, respond, sendAs } from './deployment.js';
import { type HydraAuthOptions, readAuthOptions } from './options.js';

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
    protect(server, deploy(settings, wanted, options.asDefault === true));
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

/** Where the life cycle of a server meets the protocol. */
export function protect(server: Server, deployment: Deployment): void {
  const { store, first, basePath, strategy, asDefault, look = (finish) => finish } = deployment;
  const others = registered.get(server.listener);
  registered.set(server.listener, [...(others ?? []), basePath]);
  if (others === undefined) {
    server.auth.scheme(scheme, hydraScheme);
    answerMalformed(server.listener, first.bases, first.parts);
  }
  server.auth.strategy(strategy, scheme, deployment);
  if (asDefault) server.auth.default(strategy);
  else server.ext('onPreAuth', guardRoutes(deployment));
  server.ext('onPreResponse', look(everyAnswer(deployment)));
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  server.events.on('start', () => first.bases.listensAt(server.info.uri));
}

/** Protects routes below the base path that say nothing of authentication. A default strategy of the server finds them authenticated, and lets them pass. */
function guardRoutes(deployment: Deployment): Lifecycle.Method {
  const { strategy, askedOf } = deployment;
  const isBelow = belowBase(deployment);
  return (request, h) => {
    if (!isBelow(request) || request.route.settings.auth !== undefined) return h.continue;
    const letIn = (auth: object) => {
      Object.assign(request.auth, { isAuthenticated: true, isAuthorized: true, strategy, mode: 'required', ...auth });
      return h.continue;
    };
    if (request.auth.credentials) return letIn({}); // those of `inject`
    const ask = askedOf(request);
    return after(decide(ask), (answer) => (answer === undefined ? letIn(credentialsOf(ask)) : respond(request, answer, ask).takeover()));
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
        if (answer === undefined) return h.authenticated(credentialsOf(ask));
        if (answer.status !== challenge.status || !goesOn(request)) return respond(request, answer, ask).takeover();
        const carries = carriers.some((name) => request.headers[name] !== undefined);
        return h.unauthenticated(unauthorized(carries ? 'Invalid credentials' : null, challenge.scheme)); // null: Hapi takes them for missing
      });
    },
  };
};

function credentialsOf({ asked: { user } }: Asked) {
  return { credentials: user === undefined ? {} : { user: { id: user } } };
}

/** Whether the route is served without credentials too, or asks another strategy for them. */
function goesOn({ auth, route }: Request): boolean {
  const { strategies = [] } = (route.settings.auth || {}) as { readonly strategies?: readonly string[] };
  return auth.mode === 'try' || auth.mode === 'optional' || strategies.length > 1;
}

/**
 * What Hapi's authentication cannot do, because it belongs to routes: Hapi answers unknown addresses, malformed paths, bad cookies and
 * OPTIONS before it authenticates anybody, and rule 1 knows no such exception. So the last step before any answer below the base path
 * asks who is asking where nobody has, and completes answers that are not the protocol's own.
 */
function everyAnswer(deployment: Deployment): Lifecycle.Method {
  const { spec, bodyOctets, askedOf } = deployment;
  const isBelow = belowBase(deployment);

  const challenged = (request: Request, response: ResponseObject | Boom) => {
    const ask = askedOf(request);
    const { parts } = ask.by;
    if (isUnasked(request, response)) return decide(ask);
    const isRefusal = isBoom(response) && response.output.statusCode === spec.protocol.challenge.status && !request.auth.isAuthenticated;
    return isRefusal ? parts.answers.challenge(parts.nonces.issue(), ask.asked, parts) : undefined;
  };

  const complete = (request: Request, response: ResponseObject | Boom) => {
    const { asked, by } = askedOf(request);
    const { base } = asked;
    const { parts } = by;
    request.info.acceptEncoding = 'identity'; // a compressed answer has no length
    if (request.headers['range'] !== undefined) delete request.headers['range']; // whether a range can be given is found out when no header can be added any more
    if (!isBoom(response)) return parts.answers.complete(response.headers as Record<string, string>, base);
    const { status, lines, message } = told(response);
    sendAs(response, parts.answers.error(status, base, parts, lines, message));
  };

  const finish = (request: Request, h: ResponseToolkit) => {
    const { response, auth } = request;
    if (answerOf(response) !== undefined || !isBelow(request)) return h.continue;
    if (auth.isAuthenticated && !isBoom(response)) {
      complete(request, response); // most answers: nobody need be asked about them
      return h.continue;
    }
    return after(challenged(request, response), (answer) => {
      if (answer !== undefined) return respond(request, answer, askedOf(request));
      complete(request, response);
      return h.continue;
    });
  };

  return (request, h) => {
    const { req, res } = request.raw;
    const finished = finish(request, h);
    if (!hasBody(req)) return finished;
    return after(finished, (instead) => {
      // Some of its body may still be on its way; what a route has taken as its payload is its own affair.
      const isUnread = request.payload === undefined && !req.readableEnded;
      return isUnread ? discardBody(req, res, bodyOctets).then(() => instead) : instead;
    });
  };
}

/** Hapi itself answered, or another plugin before the route was reached; the application's `auth: false` is respected. */
function isUnasked({ auth, route }: Request, response: ResponseObject | Boom): boolean {
  if (auth.mode !== null || (isBoom(response) && response.isServer)) return false;
  const { method, settings } = route as { method: string; settings: { auth?: unknown } };
  return method === '_special' || settings.auth !== false;
}

/** What is no path at all (`*`, or what cannot be read) is at no address, and so nobody's but ours. */
function belowBase({ basePath }: Deployment): (request: Request) => boolean {
  const lower = basePath.toLowerCase();
  return ({ path, server }) => {
    if (basePath === '' || !path.startsWith('/')) return true;
    const isSame = path.startsWith(basePath) || (!server.settings.router?.isCaseSensitive && path.toLowerCase().startsWith(lower));
    return isSame && (path.length === basePath.length || path[basePath.length] === '/');
  };
}

/** An error's status, header lines and message, where it has one of its own; why the server failed is for its log only. */
function told(error: Boom): { status: number; lines: HeaderLine[]; message?: string } {
  if (error instanceof StoreUnavailable) return { status: httpStatus.unavailable, lines: [['Retry-After', '1']] };
  const { statusCode: status, headers, payload } = error.output;
  const lines = Object.entries(headers).map(([name, value]): HeaderLine => [name, String(value)]);
  return status === httpStatus.failed || payload.message === payload.error
    ? { status, lines }
    : { status, lines, message: payload.message };
}
