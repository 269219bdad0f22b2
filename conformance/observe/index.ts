import { nonceObservers } from './nonces.js';
import type { Observer } from './observer.js';
import { tokenObservers } from './tokens.js';

export type { Observer } from './observer.js';

/** Every observer, one for each OPEN row that can be seen from outside. */
export const observers: readonly Observer[] = [...nonceObservers, ...tokenObservers];
