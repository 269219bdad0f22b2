import type { Outgoing } from './outgoing.js';

/** What the client gives up on. The message names the request and holds no secret; `code` is stable. */
export class HydraClientError extends Error {
  readonly method: string;
  readonly url: string;

  constructor(
    readonly code: string,
    { method, url }: Outgoing,
    problem: string,
    /** Of the last answer. */
    readonly status: number,
  ) {
    super(`${method} ${url}: ${problem}`);
    this.name = new.target.name;
    this.method = method;
    this.url = url.href;
  }
}

/** Nonce and credentials were not exchanged for a token: wrong credentials, a locked account, a service in trouble. */
export class LoginRefused extends HydraClientError {
  constructor(request: Outgoing, status: number) {
    super('HYDRAUTH_LOGIN_REFUSED', request, `the login was answered with ${status} and no token`, status);
  }
}

/** The login gave a token, and the service refused it at once. */
export class TokenRefused extends HydraClientError {
  constructor(request: Outgoing, status: number) {
    super('HYDRAUTH_TOKEN_REFUSED', request, `a token that was just issued was refused with ${status}`, status);
  }
}

export class TooManyRedirects extends HydraClientError {
  constructor(request: Outgoing, status: number) {
    super('HYDRAUTH_REDIRECTS', request, 'redirected too many times', status);
  }
}
