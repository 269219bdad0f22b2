import type { RecordedExchange as Exchange } from '../../../contract.js';

export type {
  Condition,
  PresentedStates as Presented,
  RecordedExchange as Exchange,
  ServerState as State,
  SwitchState as Switch,
  TroubleState as Trouble,
} from '../../../contract.js';
export type { LiveFacts } from '../index.js';

export type Kind = 'faults' | 'variants';
/** A row of the diagram: an exchange in its lane, or words between two of them. */
export type ExchangeRow = { exchange: Exchange; lane: string; column: number; isShared: boolean };
export type Row = ExchangeRow | { words: string };
/** A function is a listener, `true` an attribute without value, and `false` or undefined leaves the attribute out. */
export type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;
