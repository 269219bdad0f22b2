import { type Summary, summarize } from './statistics.js';

interface Goal {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One figure of the table. */
export interface Figure {
  readonly name: string;
  readonly what: string;
  readonly unit?: string;
  readonly goal?: Goal;
  readonly summary?: Summary;
  /** Why there is no figure. */
  readonly skipped?: string;
  /** What it was made of. */
  readonly raw?: unknown;
}

/** How cost grows with one thing that the user asks for. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly at: number; readonly requests: number; readonly seconds: number }[];
}

export interface Peer {
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  readonly summary?: Summary;
  readonly skipped?: string;
}

export interface Results {
  readonly figures: Figure[];
  readonly growth: Growth[];
  readonly peers: Peer[];
  /** Figures without a goal of their own, by name. */
  readonly also: Record<string, unknown>;
}

export function figure(name: string, what: string, rounds: readonly number[], more: Pick<Figure, 'goal' | 'unit' | 'raw'> = {}): Figure {
  return { name, what, summary: summarize(rounds), ...more };
}

export function isMet({ goal, summary }: Figure): boolean | undefined {
  if (goal === undefined || summary === undefined) return undefined;
  return summary.median >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && summary.median <= (goal.atMost ?? Number.POSITIVE_INFINITY);
}
