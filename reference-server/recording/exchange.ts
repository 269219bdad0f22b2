import type { HeaderLine } from '../parts/index.js';

/** One exchange as the server saw it, with what it thought of it, without secrets. As `Exchange` in spec/control.yaml. */
export interface RecordedExchange {
  /** Counted from 1, never used twice. */
  readonly number: number;
  /** When it was answered, on the server's clock. */
  readonly atMs: number;
  /** When it was answered, on the clock of the system, which runs also where the server's stands still. */
  readonly wallMs: number;
  /** From the arrival of the header to the answer, in whole milliseconds of the system's clock. */
  readonly tookMs: number;
  /** Of the client, counted from 1. */
  readonly connection: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly status: number;
  readonly answerHeaders: readonly HeaderLine[];
  /** Its first characters. */
  readonly body: string;
  readonly bodyOctets: number;
  readonly step: Step;
  /** The rule of section 5 that the answer followed. */
  readonly rule: Rule;
  /** Why it was answered so, in one sentence. */
  readonly reason: string;
  readonly presented: Presented;
  /** What was looked at, in this order. */
  readonly because: readonly Condition[];
  /** Those that were on for this request. */
  readonly faults: readonly string[];
  readonly variants: readonly string[];
  /** The trouble on demand that it met. */
  readonly trouble?: MetTrouble;
}

/** Trouble on demand, as a request meets it. */
export interface MetTrouble {
  /** Counted from 1. */
  readonly number: number;
  /** What goes wrong, in a few words. */
  readonly sentence: string;
  /** The answer is late by so much: alone, or before anything else that goes wrong. */
  readonly delayMs?: number;
  /** hang: no answer until the trouble is off. reset: the connection is reset. cut-off: half of the body comes, then the connection ends. */
  readonly connection?: 'hang' | 'reset' | 'cut-off';
  /** Answered with it in place of the server, which does not see the request. */
  readonly status?: number;
}

/** A, B and C as in the protocol; refused: something was brought, and none of it was good; other: nothing of the three. */
export const steps = ['A', 'B', 'C', 'refused', 'other'] as const;
export type Step = (typeof steps)[number];

export type Rule = 1 | 2 | 3 | 4;

/** What the request brought, as the server without faults sees it, and the token that the answer gave. */
export interface Presented {
  readonly nonce: 'none' | 'known' | 'unknown' | 'spent' | 'expired';
  readonly nonceNumber?: number;
  /** unchecked: something else had decided before. */
  readonly credentials: 'none' | 'malformed' | 'unknown id' | 'unchecked' | 'wrong paraphrase' | 'right';
  readonly token: 'none' | 'unknown' | 'expired' | 'valid' | 'issued';
  readonly tokenNumber?: number;
  readonly tokenIssuedAtMs?: number;
  readonly tokenExpiresAtMs?: number;
  /** Whose token or credentials these are. */
  readonly user?: number;
}

export interface Condition {
  /** A statement: "The token has not expired". */
  readonly condition: string;
  readonly held: boolean;
  /** A figure beside it: "it ended 5 s before". */
  readonly detail?: string;
  readonly rule: Rule;
  /** Ids of the catalogue. */
  readonly requirements: readonly string[];
}
