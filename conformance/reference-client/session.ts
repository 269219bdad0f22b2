import { LoginRefused, TokenRefused } from './errors.js';
import type { KnownProtocol } from './options.js';
import type { Outgoing } from './outgoing.js';
import { exchange, isRefusal, type StepAnswer } from './steps.js';

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
      if (!isRefusal(read(answer), token !== undefined, this.protocol)) return answer;
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
    const given = await exchange(challenged, this.credentials, this.protocol, async (more) => {
      const answer = await this.#sendWith(request, more);
      await answer.body?.cancel();
      return read(answer);
    });
    if (typeof given === 'number') throw new LoginRefused(request, given);
    return given;
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
}

const read = ({ status, headers }: Response): StepAnswer => ({ status, header: (name) => headers.get(name) ?? undefined });

/** Waits no longer than the caller wants to. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
