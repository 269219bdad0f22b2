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
