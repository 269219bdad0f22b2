/** The URL that a request target stands for on the origin of the base URL. */
export function requestUrl(baseUrl: URL, target: string): URL {
  try {
    return new URL(target.startsWith('/') ? `${baseUrl.origin}${target}` : target, baseUrl);
  } catch {
    return baseUrl;
  }
}

/** One spelling for all that mean the same (RFC 3986, section 6.2.2); undefined when it is no URL. */
export function normalised(reference: string, against: URL): string | undefined {
  let url: URL;
  try {
    url = new URL(reference, against);
  } catch {
    return undefined;
  }
  return url.href.replace(/#$/, '').replace(/%[0-9A-Fa-f]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
  });
}
