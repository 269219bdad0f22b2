import type { Exchange, RequestPlan } from '../wire/index.js';
import type { Presented } from './presented.js';

/** A nonce that the target gave. */
export interface NonceEntry {
  readonly issue: Exchange;
  presented: boolean;
}

/** What is known of a request before its answer comes. */
export interface Ticket {
  readonly plan: RequestPlan;
  readonly presented: Presented;
  readonly nonce: (NonceEntry & { readonly wasPresented: boolean }) | undefined;
}
