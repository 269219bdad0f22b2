/** A file given to the kit that it cannot use. Names the file, the place in it, and what is expected. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError';
  readonly code = 'HYDRAUTH_INPUT_FILE';

  constructor(
    readonly file: string,
    problem: string,
  ) {
    super(`${file}: ${problem}`);
  }
}
