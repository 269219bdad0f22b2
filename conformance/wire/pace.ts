import type { Time } from './time.js';

const secondMs = 1000;
/** The first pace, as a part of what the target took in a second before it had too many. */
const nearly = 0.9;
/** How near a pace comes to one that was too much. */
const justBelow = 0.97;
/** What is left of a pace after a refusal where it was not borne for a second since the one before. */
const less = 0.7;
/** So many seconds. */
const aWhile = 3;
/** How much faster after a second that was borne, as long as no pace was too much. */
const much = 1.5;
/** The same once a pace was too much. */
const little = 1.1;
/** So many refusals in a row mean "too many": such a target refuses everything under way. One refusal among answers has another reason. */
const several = 3;
/** Where timers come late, what is left of the distance to the next request at least, and how many distances are made up for. More would be a burst. */
const leastDistance = 0.5;
const mostMadeUp = 5;
/** A pace that was borne for so long is not the reason of a refusal. What was too much is tried again after so long, and after twice that each further time. */
const forgetMs = 30_000;

/**
 * How fast requests go out: as fast as answers come, until the target says "too many". From then on as many a second as it took
 * before, more after every second that it bears, and less when it does not.
 */
export class Pace {
  /** How long requests were held back in all. Those that were refused nevertheless do not count. */
  heldMs = 0;
  private now: number;
  private tooMuch = Number.POSITIVE_INFINITY;
  /** The last pace that was borne for a while, and for how many seconds that of now was, since a refusal. */
  private borne: number | undefined;
  private steady = 0;
  private nextAtMs = 0;
  /** When the last turns came, as many as a second has. */
  private readonly turns: number[] = [];
  private last = Promise.resolve();
  private changedAtMs = 0;
  private limitedAtMs = 0;
  private forgetsAfterMs = forgetMs;
  private second = { beganMs: 0, answers: 0, before: 0 };
  private sinceLimited = 0;
  private inARow = 0;
  private waitedMs = 0;
  private isVain = false;

  constructor(
    private readonly most: number,
    private readonly time: Time,
  ) {
    this.now = most;
  }

  /** Undefined while nothing bounds it. */
  get perSecond(): number | undefined {
    return this.now === Number.POSITIVE_INFINITY ? undefined : this.now;
  }

  /** Waits for the turn of so many requests. One turn comes after another, so that a busy moment of this process is not followed by a burst. */
  turn(requests: number, signal: AbortSignal): Promise<void> | undefined {
    if (this.now === Number.POSITIVE_INFINITY) return undefined;
    this.last = this.last.then(async () => {
      const wantedMs = this.time.now();
      // Meanwhile the target may have had too many, and the turn comes later.
      for (let waitMs = this.untilTurn(requests); waitMs > 0 && !signal.aborted; waitMs = this.untilTurn(requests)) {
        this.waitedMs += waitMs;
        await this.time.pause(waitMs, signal);
      }
      const [nowMs, distanceMs] = [this.time.now(), secondMs / this.now];
      this.nextAtMs = Math.max(this.nextAtMs, wantedMs, nowMs - mostMadeUp * distanceMs) + requests * distanceMs;
      this.turns.push(...Array<number>(requests).fill(nowMs));
      this.turns.splice(0, this.turns.length - Math.ceil(this.now));
    });
    return this.last;
  }

  /** What comes late is made up for, as long as no second has more than its share. */
  private untilTurn(requests: number): number {
    const distanceMs = secondMs / this.now;
    const most = Math.ceil(this.now);
    const full = this.turns.at(-Math.max(1, most - requests + 1)) ?? Number.NEGATIVE_INFINITY;
    const previous = this.turns.at(-1) ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.nextAtMs, full + most * distanceMs, previous + leastDistance * distanceMs) - this.time.now();
  }

  /** The target took a request. */
  taken(): void {
    const nowMs = this.time.now();
    this.sinceLimited += 1;
    this.inARow = 0;
    [this.heldMs, this.waitedMs] = [this.heldMs + this.waitedMs, 0];
    if (nowMs - this.second.beganMs >= secondMs) this.second = { beganMs: nowMs, answers: 0, before: this.second.answers };
    this.second.answers += 1;
    if (this.perSecond === undefined || nowMs - this.changedAtMs < secondMs) return;
    // What was too much once may have been so by chance.
    if (nowMs - this.limitedAtMs > this.forgetsAfterMs) [this.tooMuch, this.limitedAtMs] = [this.tooMuch * little, nowMs];
    const faster = this.now * (this.tooMuch === Number.POSITIVE_INFINITY ? much : little);
    const next = Math.min(faster, this.tooMuch * justBelow);
    this.steady = next === this.now ? this.steady + 1 : 1;
    if (this.steady >= aWhile) this.borne = this.now;
    this.change(next, nowMs);
  }

  /** The target had too many, and wants nothing until then. Those that were under way at the same time say the same. */
  limited(untilMs: number): void {
    this.inARow += 1;
    this.waitedMs = 0;
    if (this.isVain) return;
    const isRare = this.perSecond === undefined ? this.inARow < several : this.sinceLimited >= (this.perSecond * forgetMs) / secondMs;
    this.sinceLimited = 0;
    const lately = Math.max(this.second.answers, this.second.before);
    if (isRare || lately === 0 || this.time.now() < this.changedAtMs) return;
    if (this.perSecond === undefined) this.change(lately * nearly, untilMs);
    else {
      if (this.tooMuch !== Number.POSITIVE_INFINITY) this.forgetsAfterMs *= 2;
      // In a second of which a part was waited it takes less than it bears.
      this.tooMuch = Math.min(this.now, Math.max(lately, this.borne ?? 0));
      this.change(this.steady === 0 ? this.now * less : Math.min(this.borne ?? this.tooMuch, this.tooMuch * justBelow), untilMs);
      this.steady = 0;
    }
    this.nextAtMs = untilMs;
    this.limitedAtMs = untilMs;
  }

  /** No pace helps. */
  drop(): void {
    [this.isVain, this.now] = [true, this.most];
  }

  private change(perSecond: number, atMs: number): void {
    this.now = Math.min(this.most, Math.max(1, perSecond));
    this.changedAtMs = atMs;
  }
}
