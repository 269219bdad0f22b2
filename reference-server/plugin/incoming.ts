import { IncomingMessage } from 'node:http';
import type { Request } from '@hapi/hapi';
import type { Bases } from '../bases.js';
import type { Incoming } from '../parts/index.js';

declare module '@hapi/hapi' {
  interface PluginsStates {
    hydrauth?: Incoming;
  }
}

/** A request of Hapi's as the parts see it, made once a request. */
export function incoming(request: Request, bases: Bases): Incoming {
  const known = request.plugins.hydrauth;
  if (known !== undefined) return known;
  const { req } = request.raw;
  const made: Incoming = {
    method: req.method ?? '',
    target: req.url ?? '',
    path: request.path,
    headers: req.headers,
    rawHeaders: req instanceof IncomingMessage ? req.rawHeaders : Object.entries(request.headers).flat().map(String), // an injected request has none
    base: bases.of(req.headers.host),
    raw: request.raw,
    user: undefined,
  };
  request.plugins.hydrauth = made;
  return made;
}
