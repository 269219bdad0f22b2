import { httpStatus } from '../http.js';

/** A call that is refused. The message says what is wrong and what is allowed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;

  constructor(
    status: keyof typeof httpStatus,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = httpStatus[status];
  }
}
