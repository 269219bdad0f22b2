import { LoginRefused, TokenRefused } from './errors.js';
import type { KnownProtocol } from './options.js';
import type { Outgoing } from './outgoing.js';

/** How a dead token is refused is not shown. What comes with a nonce and one of these, or as a challenge, is taken for it. */
const otherRefusals: readonly number[] = [403, 419];

/** The nonce may end between challenge and exchange; more than one second try would be guessing. */
const exchangesOfALogin = 2;
/** A token may end between its issue and its use, once. */
const tokensOfARequest = 2;

/** The token of one user at one origin. */
export class Session {
  /** The last login: all requests wait for it while it is under way, and use its token afterwards. */
  #login: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(
    readonly origin: string,
    readonly credentials: string,
    readonly fetch: typeof globalThis.fetch,
    readonly protocol: KnownProtocol,
  ) {}

  async send(request: Outgoing): Promise<Response> {
    if (request.url.origin !== this.origin) return this.#sendToStranger(request);
    const { headers, challenge } = this.protocol;
    let login = this.#login;
    // A login that failed was reported to the requests that waited for it; this one tries anew.
    let token = await untilAborted(
      login.catch(() => undefined),
      request.signal,
    );
    for (let tokens = 0; ; ) {
      const answer = await this.#sendWith(request, token === undefined ? {} : { [headers.token]: token }, request.signal);
      const nonce = answer.headers.get(headers.nonce);
      if (!this.#isRefusal(answer, nonce, token)) return answer;
      if (tokens === tokensOfARequest) {
        if (answer.status !== challenge.status) return answer;
        await answer.body?.cancel();
        throw new TokenRefused(request, answer.status);
      }
      await answer.body?.cancel();
      // Unless another request has logged in since: then its token is tried.
      if (this.#login === login) this.#login = nonce === null ? Promise.resolve(undefined) : this.#logIn(request, nonce);
      login = this.#login;
      token = await untilAborted(login, request.signal);
      if (token !== undefined) tokens += 1;
    }
  }

  /** Step B: the request again with nonce and credentials. It is shared, so that no caller's signal ends it. */
  async #logIn(request: Outgoing, challenged: string): Promise<string> {
    const { headers, challenge } = this.protocol;
    let nonce = challenged;
    for (let exchanges = 1; ; exchanges += 1) {
      const basic = `${challenge.scheme} ${this.credentials}`;
      const answer = await this.#sendWith(request, { [headers.nonce]: nonce, [headers.authorization]: basic });
      await answer.body?.cancel();
      const token = answer.headers.get(headers.token);
      if (answer.ok && token !== null) return token;
      const next = answer.headers.get(headers.nonce);
      if (answer.status !== challenge.status || next === null || exchanges === exchangesOfALogin)
        throw new LoginRefused(request, answer.status);
      nonce = next;
    }
  }

  #sendWith({ url, method, headers: own, body, init }: Outgoing, more: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const all = new Headers(own);
    for (const [name, value] of Object.entries(more)) all.set(name, value);
    // Redirects are followed by the caller of this: fetch itself would take the token along to another origin.
    return this.fetch(url, { ...init, method, headers: all, body: body ?? null, redirect: 'manual', signal: signal ?? null });
  }

  /** Another origin is told nothing, neither by this client nor in headers that were meant for the API. */
  #sendToStranger(request: Outgoing): Promise<Response> {
    const { authorization, nonce, token } = this.protocol.headers;
    for (const name of [authorization, nonce, token, 'Cookie', 'Proxy-Authorization']) request.headers.delete(name);
    return this.#sendWith(request, {}, request.signal);
  }

  #isRefusal({ status }: Response, nonce: string | null, token: string | undefined): boolean {
    const isChallenge = status === this.protocol.challenge.status;
    return nonce === null ? isChallenge && token !== undefined : isChallenge || otherRefusals.includes(status);
  }
}

/** Waits no longer than the caller wants to. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
