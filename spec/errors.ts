/** A spec file that is missing, malformed or contradicts itself. Names the file and the place in it. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly code = 'HYDRAUTH_SPEC';

  constructor(
    readonly file: string,
    readonly place: string,
    problem: string,
  ) {
    super(`${file}${place === '' ? '' : ` at ${place}`}: ${problem}`);
  }
}
