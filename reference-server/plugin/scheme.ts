import { unauthorized } from '@hapi/boom';
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import { after } from '../stores/index.js';
import { decide } from './decide.js';
import type { Deployment } from './deployment.js';
import { incoming } from './incoming.js';
import { respond } from './respond.js';

/** Rules 2 to 4: a token is honoured, nonce and credentials are exchanged for one, and everybody else is challenged. */
export const hydraScheme: ServerAuthScheme = (_server, options) => {
  const deployment = options as Deployment;
  const { parts, bases, spec } = deployment;
  const { headers, challenge } = spec.protocol;
  const carriers = [headers.authorization, headers.nonce, headers.token].map((name) => name.toLowerCase());
  return {
    authenticate(request, h) {
      const asked = incoming(request, bases);
      return after(decide(asked, deployment), (answer) => {
        if (answer === undefined) return h.authenticated({ credentials: asked.user === undefined ? {} : { user: { id: asked.user } } });
        if (answer.status !== challenge.status || !goesOn(request)) return respond(request, answer, asked, parts).takeover();
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
