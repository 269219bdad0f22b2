import { loginStates } from './logins.js';
import type { State } from './state.js';
import { tokenStates } from './tokens.js';

export type { State } from './state.js';

/** Everything that a request can bring. */
export const states: readonly State[] = [...loginStates, ...tokenStates];
