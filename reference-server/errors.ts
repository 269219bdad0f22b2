export { OptionError } from '../spec/index.js';

/** The store cannot be reached now; the request gets a 503 and the server lives on. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'HYDRAUTH_STORE';
}
