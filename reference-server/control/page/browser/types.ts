export type { Condition, Presented, RecordedExchange as Exchange, Step } from '../../../recording/exchange.js';
export type { LiveFacts } from '../facts.js';

/** A token or a nonce, known by its number. `Token` of `State` in spec/control.yaml. */
export interface Living {
  readonly number: number;
  readonly user?: number;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** A fault or a variant. As `Switch` in spec/control.yaml. */
export interface Switch {
  readonly id: string;
  readonly sentence: string;
  readonly requirements: readonly string[];
  readonly on: boolean;
  readonly left?: number;
  readonly method?: string;
  readonly path?: string;
  readonly state?: string;
  readonly atStartOnly: boolean;
}

/** As `State` in spec/control.yaml. */
export interface State {
  readonly nowMs: number;
  readonly clock: 'manual' | 'system';
  readonly users: readonly number[];
  readonly tokens: readonly Living[];
  readonly nonces: readonly Living[];
  readonly faults: readonly Switch[];
  readonly variants: readonly Switch[];
}

export type Kind = 'faults' | 'variants';
