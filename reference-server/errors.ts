/** An option that is unknown or has a value that is not allowed. Names the option and what is allowed. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly code = 'HYDRAUTH_OPTION';

  constructor(
    readonly option: string,
    problem: string,
  ) {
    super(`${option}: ${problem}`);
  }
}

/** The store cannot be reached now; the request gets a 503 and the server lives on. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'HYDRAUTH_STORE';
}
