import type { Spec } from '../../spec/index.js';
import type { Guard, Incoming, Parts } from './parts.js';

export interface GuardPolicy {
  readonly auth: 'on' | 'off';
  readonly tokens: 'on' | 'off';
  /** Whether a request with wrong credentials spends its nonce too, so that a guess costs a nonce. */
  readonly refusalSpendsNonce: boolean;
}

/** Rules 1 to 4: token, or nonce and credentials, or the challenge. */
export function makeGuard(spec: Spec, policy: GuardPolicy): Guard {
  const { authorization, nonce, token } = spec.protocol.headers;
  const authorizationName = authorization.toLowerCase();
  const nonceName = nonce.toLowerCase();
  const tokenName = token.toLowerCase();

  return {
    isPreflight: ({ method, headers }) =>
      method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined,

    async judge(request, parts) {
      const { guard, answers } = parts;
      if (guard.isPreflight(request)) return answers.preflight(request, parts);
      if (policy.auth === 'off') return undefined;
      if (policy.tokens === 'on') request.user = await guard.byToken(request, parts);
      if (request.user !== undefined) return undefined;
      const user = await guard.byCredentials(request, parts);
      if (user === undefined) return answers.challenge(parts.nonces.issue(), request, parts);
      if (policy.tokens === 'on') return answers.exchange(await parts.tokens.issue(user, parts), request, parts);
      request.user = user;
      return undefined;
    },

    byToken(request, parts) {
      const presented = request.headers[tokenName];
      return typeof presented === 'string' ? parts.tokens.lookup(presented, parts) : undefined;
    },

    byCredentials(request, parts) {
      const nonce = request.headers[nonceName];
      const credentials = request.headers[authorizationName];
      return typeof nonce === 'string' && typeof credentials === 'string' ? open(nonce, credentials, request, parts) : undefined;
    },
  };

  async function open(nonce: string, presented: string, request: Incoming, { nonces, credentials }: Parts): Promise<number | undefined> {
    if (!(await (policy.refusalSpendsNonce ? nonces.spend(nonce) : nonces.check(nonce)))) return undefined;
    const read = isRepeated(request, authorizationName) ? undefined : credentials.read(presented);
    const user = read === undefined ? undefined : await credentials.verify(read);
    if (user === undefined || policy.refusalSpendsNonce) return user;
    return (await nonces.spend(nonce)) ? user : undefined;
  }
}

/** Node.js keeps the first of several Authorization lines; which one the client meant cannot be known. */
function isRepeated(request: Incoming, name: string): boolean {
  return request.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length > 1;
}
