import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkOptions, type OptionChecks } from '../../spec/index.js';
import { httpStatus } from '../http.js';
import { readBody } from '../request-body.js';

const bodyOctets = 65_536;

/** A call of the control listener. */
export interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** What stands in the path where the route has a name in braces. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

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

/** The body as an object; none is an empty one. */
export async function bodyOf<T extends object>({ req, res }: Call, checks: OptionChecks<T>): Promise<Partial<T>> {
  const text = await readBody(req, res, bodyOctets);
  if (text === undefined) throw new Refusal('tooLarge', `the body is too large; ${bodyOctets} octets are allowed`);
  const allowed = Object.entries<readonly [string, ...unknown[]]>(checks).map(([name, [value]]) => `${name} (${value})`);
  const refusal = new Refusal('badRequest', `the body is no JSON object; one with ${allowed.join(', ')} is allowed`);
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal;
  checkOptions(body as T, checks);
  return body as Partial<T>;
}

/** The query as an object: of numbers, where the name is one of these. */
export function queryOf<T extends object>(query: URLSearchParams, checks: OptionChecks<T>, numbers: readonly string[]): Partial<T> {
  const given = Object.fromEntries([...query].map(([name, value]) => [name, numbers.includes(name) ? numberIn(value) : value]));
  checkOptions(given as T, checks);
  return given as Partial<T>;
}

/** A text that is no number stays one, so that the complaint shows it. */
export function numberIn(text: string): number | string {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
