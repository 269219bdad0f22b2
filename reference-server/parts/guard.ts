import { linesNamed } from '../http.js';
import { after, type MaybePromise } from '../stores/index.js';
import type { Answer, Guard, Incoming, Parts, PartsContext } from './parts.js';

/** Rules 1 to 4: token, or nonce and credentials, or the challenge. What it finds on the way is left in `request.found`. */
export function makeGuard({ spec, guard: policy }: PartsContext): Guard {
  const { authorization, nonce, token } = spec.protocol.headers;
  const [authorizationName, nonceName, tokenName] = [authorization.toLowerCase(), nonce.toLowerCase(), token.toLowerCase()];

  return {
    isPreflight: ({ method, headers }) =>
      method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined,

    decide(request, parts) {
      const { guard, answers } = parts;
      if (guard.isPreflight(request)) {
        request.found.open = 'preflight';
        return answers.preflight(request, parts);
      }
      if (policy.auth === 'off') {
        request.found.open = 'off';
        return undefined;
      }
      return after(policy.tokens === 'on' ? guard.byToken(request, parts) : undefined, (user) => {
        request.found.token = user !== undefined;
        request.user = user;
        return user === undefined ? after(guard.byCredentials(request, parts), (user) => admit(user, request, parts)) : undefined;
      });
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

  function admit(user: number | undefined, request: Incoming, parts: Parts): MaybePromise<Answer | undefined> {
    const { answers, nonces, tokens } = parts;
    if (user === undefined) return answers.challenge(nonces.issue(), request, parts);
    if (policy.tokens === 'on') return after(tokens.issue(user, parts), (token) => answers.exchange(token, request, parts));
    request.user = user;
    return undefined;
  }

  function open(nonce: string, presented: string, request: Incoming, { nonces, credentials }: Parts): MaybePromise<number | undefined> {
    const { found } = request;
    return after(policy.refusalSpendsNonce ? nonces.spend(nonce) : nonces.check(nonce), (isOpen) => {
      found.nonce = isOpen;
      if (!isOpen) return undefined;
      // Node.js keeps the first of several lines; which one the client meant cannot be known.
      const isRepeated = linesNamed(authorizationName, request.rawHeaders) > 1;
      const read = isRepeated ? undefined : credentials.read(presented);
      found.credentials = 'malformed';
      if (read === undefined) return undefined;
      return after(credentials.verify(read), (user) => {
        found.credentials = user === undefined ? 'wrong' : 'right';
        if (user === undefined || policy.refusalSpendsNonce) return user;
        return after(nonces.spend(nonce), (isSpent) => {
          found.nonce = isSpent;
          return isSpent ? user : undefined;
        });
      });
    });
  }
}
