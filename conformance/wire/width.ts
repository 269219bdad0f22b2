/** As many are opened before anything is known of the target. */
const first = 4;
/** As many as a near target is given: with more of them each would only wait longer. */
const near = 16;
/** From such a round trip on a target is far, and time is saved by more of them. */
const farMs = 20;
/** Of the shortest round trip: what counts as no longer than it, and what as too long. */
const flat = 1.3;
const rising = 2;
const less = 0.7;

/** From when on an answer is late, where others come after the usual time: it waits until another connection is closed. */
export const lateAfterMs = (usualMs: number, lateMs = 1000): number => lateMs + 10 * usualMs;

/**
 * How many connections a target is given: few at first, one more with every answer, and more than a near one is given only while its
 * answers take no longer for it. Where a connection is left waiting while others are served, never again more than were served.
 */
export class Width {
  now: number;
  /** How many were served when another one was left waiting first; undefined while none was. */
  served: number | undefined;
  private shortestMs = Number.POSITIVE_INFINITY;
  private latelyMs: number[] = [];

  constructor(private most: number) {
    this.now = Math.min(first, most);
  }

  /** The usual round trip on a kept connection, as far as it is known. */
  get usualMs(): number {
    return this.shortestMs === Number.POSITIVE_INFINITY ? Math.max(0, ...this.latelyMs) : this.shortestMs;
  }

  /** An answer came, and whether somebody waits for a connection. What it took says something on a kept connection only. */
  answered(isWanted: boolean, tookMs?: number): void {
    if (isWanted && this.now < Math.min(near, this.most)) this.now += 1;
    if (tookMs === undefined) return;
    this.latelyMs.push(tookMs);
    if (this.latelyMs.length >= Math.max(first, this.now)) this.measure(isWanted);
  }

  /** So many, at least one, are served and keep another one waiting. */
  crowded(served: number): void {
    this.served ??= served;
    this.limit(served);
  }

  /** Never again more than so many. */
  limit(most: number): void {
    this.most = Math.min(this.most, most);
    this.now = Math.min(this.now, this.most);
  }

  private measure(isWanted: boolean): void {
    const sorted = this.latelyMs.sort((one, other) => one - other);
    const medianMs = sorted[sorted.length >> 1] as number;
    this.latelyMs = [];
    this.shortestMs = Math.min(this.shortestMs, medianMs);
    if (this.shortestMs < farMs || this.now < near) return;
    if (medianMs > rising * this.shortestMs) this.now = Math.max(near, Math.round(less * this.now));
    else if (isWanted && medianMs <= flat * this.shortestMs) this.now = Math.min(this.most, this.now + near);
  }
}
