import { TooManyRedirects } from './errors.js';
import { type HydraClientOptions, readOptions } from './options.js';
import { readRequest } from './outgoing.js';
import { redirected } from './redirect.js';
import { Session } from './session.js';

export interface HydraClient {
  /** As the global fetch; a relative address counts from the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** As many as fetch follows. */
const redirects = 20;

/** A client of one API as one user: logs in when it is asked to, and again when its token has ended. */
export function hydraClient(options: HydraClientOptions): HydraClient {
  const { base, credentials, fetch, protocol } = readOptions(options);
  const session = new Session(base.origin, credentials, fetch, protocol);
  return {
    async fetch(input, init = {}) {
      let request = await readRequest(input, init, base);
      for (let followed = 0; ; followed += 1) {
        const answer = await session.send(request);
        const next = redirected(request, answer);
        if (next === undefined) return answer;
        await answer.body?.cancel();
        if (followed === redirects) throw new TooManyRedirects(request, answer.status);
        request = next;
      }
    },
  };
}
