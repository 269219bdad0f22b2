import { IncomingMessage } from 'node:http';
import type { Request } from '@hapi/hapi';
import type { Bases } from './bases.js';
import type { Incoming } from './parts/index.js';

/** A request of Hapi's as the parts see it. */
export function incoming(request: Request, bases: Bases): Incoming {
  const { req } = request.raw;
  const injected = !(req instanceof IncomingMessage);
  return {
    method: req.method ?? '',
    target: req.url ?? '',
    path: request.path,
    headers: req.headers,
    rawHeaders: injected ? Object.entries(request.headers).flat().map(String) : req.rawHeaders, // an injected request has none
    base: bases.of(req.headers.host),
    injected,
    raw: request.raw,
  };
}
