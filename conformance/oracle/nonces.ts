import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import { nonceOf } from '../expect/index.js';
import type { Answer, Exchange, RequestPlan } from '../wire/index.js';

/** A nonce that the target gave. */
export interface NonceEntry {
  readonly issue: Exchange;
  presented: boolean;
}

/** A nonce that a request presents, as it was before. */
export type PresentedNonce = NonceEntry & { readonly wasPresented: boolean };

/** Exchanges of one kind. When the target dealt with each is only known to lie between its request and its answer. */
export class Occasions {
  private readonly all: { readonly request: RequestPlan; readonly fromMs: number; readonly toMs: number }[] = [];

  note({ request, sentAtMs, durationMs }: Exchange): void {
    this.all.push({ request, fromMs: sentAtMs, toMs: sentAtMs + durationMs });
  }

  get count(): number {
    return this.all.length;
  }

  /** How many lie between two exchanges for sure. */
  fewestBetween(earlier: Exchange, later: Exchange): number {
    const beganMs = earlier.sentAtMs + earlier.durationMs;
    return this.all.filter(({ fromMs, toMs }) => fromMs >= beganMs && toMs <= later.sentAtMs).length;
  }

  /** How many may lie between two exchanges, of all that are known by now. */
  mostBetween(earlier: Exchange, later: Exchange): number {
    const endMs = later.sentAtMs + later.durationMs;
    const isOther = (request: RequestPlan) => request !== earlier.request && request !== later.request;
    return this.all.filter(({ request, fromMs, toMs }) => toMs > earlier.sentAtMs && fromMs < endMs && isOther(request)).length;
  }
}

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
  present(nonce: string): PresentedNonce | undefined {
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
