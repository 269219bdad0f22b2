/** Turns a reference into an absolute address; undefined when it cannot. The sandbox of Postman has no `URL`, so the caller brings one. */
export type Resolve = (against: string, reference: string) => string | undefined;

export const resolveUrl: Resolve = (against, reference) => {
  try {
    return new URL(reference, against).href;
  } catch {
    return undefined;
  }
};

/** The URL that a request target stands for on the origin of the base URL. */
export function requestUrl(baseUrl: URL, target: string): URL {
  return new URL(resolveUrl(baseUrl.href, target.startsWith('/') ? `${baseUrl.origin}${target}` : target) ?? baseUrl);
}

/** One spelling for all absolute addresses that mean the same (RFC 3986, section 6.2.2). */
export function normalised(address: string): string {
  return address
    .replace(/^(http:\/\/[^/?#]*):80(?=[/?#]|$)/, '$1')
    .replace(/^(https:\/\/[^/?#]*):443(?=[/?#]|$)/, '$1')
    .replace(/#$/, '')
    .replace(/%[0-9A-Fa-f]{2}/g, (triplet) => {
      const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
    });
}
