import { address } from './address.js';
import { before } from './before.js';
import type { Dimension } from './circumstance.js';
import { agent, cookie, origin } from './client.js';
import { caching, conditional } from './conditional.js';
import { body } from './content.js';
import { expectation, forwarding, gateway } from './gateway.js';
import { arrival, connection, hostAndTarget, lines, names, version } from './message.js';
import { method } from './method.js';
import { accept, encoding } from './negotiation.js';
import { query } from './query.js';
import { spelling } from './spelling.js';

export { ofCollections } from './address.js';
export type { Before, Circumstance, Dimension, Draft, Scene } from './circumstance.js';

/** Everything about a request that must not matter. Where several cause a failure together, the first in this order tells it. */
export const dimensions: readonly Dimension[] = [
  ...forwarding,
  ...gateway,
  ...origin,
  cookie,
  agent,
  accept,
  encoding,
  body,
  ...conditional,
  caching,
  expectation,
  hostAndTarget,
  version,
  connection,
  arrival,
  lines,
  names,
  query,
  method,
  spelling,
  before,
  address,
];
