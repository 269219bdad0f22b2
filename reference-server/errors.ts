import { OptionError } from '../spec/index.js';

export { OptionError };

/** What was asked for by its id or number does not exist. */
export class NotThere extends OptionError {}

/** A fault or a variant that can be chosen only when the server is started. */
export class AtStartOnly extends OptionError {}

/** The store cannot be reached now; the request gets a 503 and the server lives on. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'HYDRAUTH_STORE';
}
