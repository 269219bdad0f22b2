import type { Exchange, RequestPlan } from '../wire/index.js';

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
