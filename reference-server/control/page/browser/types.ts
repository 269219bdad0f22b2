export type { Condition, Presented, RecordedExchange as Exchange } from '../../../recording/exchange.js';
export type { ServerState as State } from '../../../running-server.js';
export type { SwitchState as Switch } from '../../../switching/switches.js';
export type { LiveFacts } from '../facts.js';

export type Kind = 'faults' | 'variants';
