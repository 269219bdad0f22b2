import type { ControlDocument, ControlOperations } from '../spec/index.js';

type Schemas = ControlDocument['schemas'];

// What a test is told and may ask for has the same form over HTTP and in code: that of spec/control.yaml.

/** One exchange as the server saw it, with what it thought of it, without secrets. */
export type RecordedExchange = Schemas['Exchange'];
export type Condition = Schemas['Condition'];
export type Step = Schemas['Step'];
/** What the request brought, as the server without faults sees it, and the token that the answer gave. */
export type PresentedStates = Schemas['Presented'];
/** Trouble on demand, as a request meets it. */
export type MetTrouble = NonNullable<RecordedExchange['trouble']>;
/** The faults and variants that were on for a request, and the trouble that it met. */
export type SwitchedOn = Pick<RecordedExchange, 'faults' | 'variants' | 'trouble'>;
/** Which exchanges are meant: those that fit all that is given. */
export type ExchangeFilter = Omit<NonNullable<ControlOperations['nextExchange']['parameters']['query']>, 'timeout'>;

/** What the server knows; tokens and nonces have numbers, and their values are not in it. */
export type ServerState = Schemas['State'];
/** A fault or a variant, and whether it is on. */
export type SwitchState = Schemas['Switch'];
/** Which requests a fault, a variant or a trouble is for: those that fit all that is given. */
export type Use = Schemas['Use'];
/** What goes wrong on demand, and for which requests. */
export type Trouble = Schemas['Wrong'] & Use;
/** A trouble that is on, or that holds requests back. */
export type TroubleState = Schemas['Trouble'];
