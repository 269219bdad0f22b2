/** A request that can be sent again: the body is held as octets. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  readonly signal: AbortSignal;
  /** What else the caller asked of fetch. */
  readonly init: RequestInit;
}

export async function readRequest(input: string | URL | Request, init: RequestInit, base: URL): Promise<Outgoing> {
  const request = new Request(input instanceof Request ? input : new URL(input, base), init);
  // Not by its body: Firefox does not show that of a request.
  const octets = await request.arrayBuffer();
  return {
    url: new URL(request.url),
    method: request.method,
    headers: new Headers(request.headers),
    body: octets.byteLength === 0 ? undefined : octets,
    signal: request.signal,
    init: { ...init, redirect: request.redirect },
  };
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** The request that a redirect asks for, as fetch would make it; undefined when there is none to follow. */
export function redirected(request: Outgoing, { status, headers: given }: Response): Outgoing | undefined {
  const { method, init } = request;
  const location = given.get('Location');
  if (!redirects.includes(status) || location === null || init.redirect === 'manual') return undefined;
  if (init.redirect === 'error') throw new TypeError(`${method} ${request.url}: redirected, which the caller forbade`);
  const url = new URL(location, request.url);
  const headers = new Headers(request.headers);
  // RFC 9110, 15.4: 303 asks for a GET; after 301 and 302 a POST becomes one by custom.
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  if (!becomesGet) return { ...request, url, headers };
  for (const name of [...headers.keys()]) if (name.startsWith('content-')) headers.delete(name);
  return { ...request, url, headers, method: 'GET', body: undefined };
}
