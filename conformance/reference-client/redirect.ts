import type { Outgoing } from './outgoing.js';

const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** The request that a redirect asks for, as fetch would make it; undefined when there is none to follow. */
export function redirected(request: Outgoing, answer: Response): Outgoing | undefined {
  const location = answer.headers.get('Location');
  if (!statuses.includes(answer.status) || location === null || request.init.redirect === 'manual') return undefined;
  if (request.init.redirect === 'error') throw new TypeError(`${request.method} ${request.url}: redirected, which the caller forbade`);
  const url = new URL(location, request.url);
  const headers = new Headers(request.headers);
  if (becomesGet(request.method, answer.status)) {
    for (const name of [...headers.keys()]) if (name.startsWith('content-')) headers.delete(name);
    return { ...request, url, headers, method: 'GET', body: undefined };
  }
  return { ...request, url, headers };
}

/** RFC 9110, 15.4: 303 asks for a GET; after 301 and 302 a POST becomes one by custom. */
function becomesGet(method: string, status: number): boolean {
  return status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
}
