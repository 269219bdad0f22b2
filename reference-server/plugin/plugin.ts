import { readFileSync } from 'node:fs';
import { unauthorized } from '@hapi/boom';
import type { Lifecycle, NamedPlugin, Request, Server, ServerAuthScheme } from '@hapi/hapi';
import { packageFile } from '../../spec/index.js';
import { answerMalformed } from '../malformed.js';
import { after } from '../stores/index.js';
import { type Deployment, decide, deploy } from './deployment.js';
import { everyAnswer } from './every-answer.js';
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

/** Token authentication for every address below the base path. */
export const plugin: NamedPlugin<HydraAuthOptions> & { readonly version: string } = {
  name,
  version,
  register: (server, options) => protect(server, deploy(readAuthOptions(options))),
};

/** Where the life cycle of a server meets the protocol. What goes out can be looked at once more: another extension would cost a twentieth. */
export function protect(server: Server, deployment: Deployment, look = (finish: Lifecycle.Method): Lifecycle.Method => finish): void {
  const { store, first } = deployment;
  server.auth.scheme(scheme, hydraScheme);
  server.auth.strategy(strategy, scheme, deployment);
  server.auth.default(strategy);
  server.ext('onPreResponse', look(everyAnswer(deployment)));
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  server.events.on('start', () => first.bases.listensAt(server.info.uri));
  answerMalformed(server.listener, first.bases, first.parts);
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
