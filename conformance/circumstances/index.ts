import { address } from './address.js';
import type { Dimension } from './circumstance.js';
import { body } from './content.js';
import { aboutHandling, aboutSender } from './headers.js';
import { before, message } from './message.js';
import { spelling } from './spelling.js';

export { ofCollections } from './address.js';
export type { Before, Circumstance, Dimension, Draft, Scene } from './circumstance.js';

/** Everything about a request that must not matter. Where several cause a failure together, the first in this order tells it. */
export const dimensions: readonly Dimension[] = [...aboutSender, body, ...aboutHandling, ...message, spelling, before, address];
