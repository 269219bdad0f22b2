import type { ClockMove, Exchange } from '../wire/index.js';

/** A span of the target's clock, of which only bounds are known. */
export interface Span {
  readonly leastMs: number;
  readonly mostMs: number;
}

interface Move {
  readonly ms: number;
  /** Between these instants of our own monotonic clock the target's clock was moved. */
  readonly fromMs: number;
  toMs: number;
}

/** Knows every move of the target's clock, and from them how much time passed there between two instants of our own clock. */
export class TargetTime {
  private readonly moves: Move[];

  /** `runs`: the target's clock is real time, and nothing moves it. `moved`: moves of which somebody kept a record. */
  constructor(
    private readonly runs: boolean,
    moved: readonly Readonly<Move>[] = [],
  ) {
    this.moves = [...moved];
  }

  get movedMs(): number {
    return this.moves.reduce((sum, move) => sum + move.ms, 0);
  }

  async move(ms: number, nowMs: () => number, advance: () => Promise<void>): Promise<Readonly<Move>> {
    const move: Move = { ms, fromMs: nowMs(), toMs: Number.POSITIVE_INFINITY };
    this.moves.push(move);
    await advance();
    move.toMs = nowMs();
    return move;
  }

  /** The moves that lie wholly between two instants, in order. */
  movesBetween(fromMs: number, toMs: number): number[] {
    return this.moves.filter((move) => move.fromMs >= fromMs && move.toMs <= toMs).map((move) => move.ms);
  }

  /**
   * The time that passed from an exchange to another. A clock under test control may stand still between moves, or run on; and a move
   * that overlaps an exchange may count or not.
   */
  between(
    earlier: { readonly sentAtMs: number; readonly durationMs: number },
    later: { readonly sentAtMs: number; readonly durationMs: number },
  ): Span {
    const issuedMs = earlier.sentAtMs + earlier.durationMs;
    const endMs = later.sentAtMs + later.durationMs;
    const running = Math.max(0, later.sentAtMs - issuedMs);
    const sure = this.moves.filter((move) => move.fromMs >= issuedMs && move.toMs <= later.sentAtMs);
    const possible = this.moves.filter((move) => move.toMs >= earlier.sentAtMs && move.fromMs <= endMs);
    const sum = (moves: readonly Move[]) => moves.reduce((total, move) => total + move.ms, 0);
    return { leastMs: sum(sure) + (this.runs ? running : 0), mostMs: sum(possible) + endMs - earlier.sentAtMs };
  }
}

/** The moves of the clock between two exchanges, as one. */
export function movesSince(earlier: Exchange | undefined, exchange: Exchange, time: TargetTime): ClockMove[] {
  if (earlier === undefined) return [];
  const moved = time.movesBetween(earlier.sentAtMs + earlier.durationMs, exchange.sentAtMs);
  const advancedMs = moved.reduce((sum, ms) => sum + ms, 0);
  return advancedMs === 0 ? [] : [{ advancedMs }];
}
