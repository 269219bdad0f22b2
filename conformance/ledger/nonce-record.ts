import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import { nonceOf } from '../expect/index.js';
import type { Answer, Exchange } from '../wire/index.js';
import { Occasions } from './occasions.js';
import type { NonceEntry, Ticket } from './ticket.js';

/** Every nonce that the target gave. */
export class NonceRecord {
  private readonly entries = new Map<string, NonceEntry>();
  /** The answers that carried one. */
  readonly issues = new Occasions();

  constructor(private readonly protocol: Protocol) {}

  get(nonce: string): NonceEntry | undefined {
    return this.entries.get(nonce.toLowerCase());
  }

  /** To be called when a request presents it. Another spelling of it counts as presented before. */
  present(nonce: string): Ticket['nonce'] {
    const entry = this.get(nonce);
    if (entry === undefined) return undefined;
    const isExact = nonce === nonceOf(entry.issue.answer as Answer, this.protocol);
    const presented = { ...entry, wasPresented: entry.presented || !isExact };
    entry.presented = true;
    return presented;
  }

  /** A nonce that is sent back to whoever presented it keeps its first issue. */
  noteIssued(nonce: string, exchange: Exchange, hasPresented: boolean): void {
    this.issues.note(exchange);
    const key = nonce.toLowerCase();
    if (this.entries.has(key) && hasPresented) return;
    this.entries.set(key, { issue: truncateBody(exchange), presented: false });
  }
}
