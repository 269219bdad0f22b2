import type { Chain, Exchange } from '../wire/index.js';
import type { Claim } from './clauses.js';

/** An answer that contradicts what the text says of its request. */
export interface Contradiction {
  readonly claim: Claim;
  readonly exchange: Exchange;
  /** The exchanges that brought what the request carries, the moves of the clock since, and the answer itself. */
  readonly chain: Chain;
}

/** How often something that must be granted or refused was, and how often not. */
export interface Rate {
  of: number;
  contradicted: number;
}
