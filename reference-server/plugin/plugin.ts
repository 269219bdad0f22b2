import { readFileSync } from 'node:fs';
import type { Lifecycle, NamedPlugin, Server } from '@hapi/hapi';
import { packageFile } from '../../spec/index.js';
import { answerMalformed } from '../malformed.js';
import { type Deployment, deploy } from './deployment.js';
import { everyAnswer } from './every-answer.js';
import { type HydraAuthOptions, readAuthOptions } from './options.js';
import { hydraScheme } from './scheme.js';

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
  const { store, bases, parts } = deployment;
  server.auth.scheme(scheme, hydraScheme);
  server.auth.strategy(strategy, scheme, deployment);
  server.auth.default(strategy);
  server.ext('onPreResponse', look(everyAnswer(deployment)));
  server.ext('onPreStart', () => store.open());
  server.ext('onPostStop', () => store.close());
  server.events.on('start', () => bases.listensAt(server.info.uri));
  answerMalformed(server.listener, bases, parts);
}
