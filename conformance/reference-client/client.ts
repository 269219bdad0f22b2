import { LoginRefused, TokenRefused, TooManyRedirects } from './errors.js';
import { type HydraClientOptions, readOptions } from './options.js';
import { type Outgoing, readRequest, redirected } from './outgoing.js';
import { exchange, isRefusal } from './steps.js';

export interface HydraClient {
  /** As the global fetch; a relative address counts from the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** As many as fetch follows. */
const redirects = 20;
/** A token may end between its issue and its use, once. */
const tokensOfARequest = 2;

/** A client of one API as one user: logs in when it is asked to, and again when its token has ended. */
export function hydraClient(options: HydraClientOptions): HydraClient {
  const { base, credentials, fetch, protocol } = readOptions(options);
  const { authorization, nonce, token: tokenHeader } = protocol.headers;
  /** The last login: all requests wait for it while it is under way, and use its token afterwards. */
  let lastLogin: Promise<string | undefined> = Promise.resolve(undefined);

  const sendWith = ({ url, method, headers: own, body, init }: Outgoing, more: Record<string, string>, signal: AbortSignal | null) => {
    const headers = new Headers(own);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    // Redirects are followed by the caller of this: fetch itself would take the token along to another origin.
    return fetch(url, { ...init, method, headers, body: body ?? null, redirect: 'manual', signal });
  };

  /** Step B: the request again with nonce and credentials. It is shared, so that no caller's signal ends it. */
  const logIn = async (request: Outgoing, challenged: string): Promise<string> => {
    const given = await exchange(challenged, credentials, protocol, async (more) => {
      const answer = await sendWith(request, more, null);
      await answer.body?.cancel();
      return answer;
    });
    if (typeof given === 'number') throw new LoginRefused(request, given);
    return given;
  };

  const send = async (request: Outgoing): Promise<Response> => {
    const { signal, headers } = request;
    if (request.url.origin !== base.origin) {
      // Another origin is told nothing, neither by this client nor in headers that were meant for the API.
      for (const name of [authorization, nonce, tokenHeader, 'Cookie', 'Proxy-Authorization']) headers.delete(name);
      return sendWith(request, {}, signal);
    }
    let login = lastLogin;
    // A login that failed was reported to the requests that waited for it; this one tries anew.
    const before = login.catch(() => undefined);
    let token = await untilAborted(before, signal);
    for (let tokens = 0; ; ) {
      const answer = await sendWith(request, token === undefined ? {} : { [tokenHeader]: token }, signal);
      if (!isRefusal(answer, token !== undefined, protocol)) return answer;
      const isOver = tokens === tokensOfARequest;
      if (isOver && answer.status !== protocol.challenge.status) return answer;
      await answer.body?.cancel();
      if (isOver) throw new TokenRefused(request, answer.status);
      const challenged = answer.headers.get(nonce);
      // Unless another request has logged in since: then its token is tried.
      if (lastLogin === login) lastLogin = challenged === null ? Promise.resolve(undefined) : logIn(request, challenged);
      login = lastLogin;
      token = await untilAborted(login, signal);
      if (token !== undefined) tokens += 1;
    }
  };

  return {
    async fetch(input, init = {}) {
      let request = await readRequest(input, init, base);
      for (let followed = 0; ; followed += 1) {
        const answer = await send(request);
        const next = redirected(request, answer);
        if (next === undefined) return answer;
        await answer.body?.cancel();
        if (followed === redirects) throw new TooManyRedirects(request, answer.status);
        request = next;
      }
    },
  };
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
