import { Readable } from 'node:stream';
import type { Boom } from '@hapi/boom';
import type { Request, ResponseObject } from '@hapi/hapi';
import type { Answer, HeaderLine, Incoming, Parts } from '../parts/index.js';

const variety = 'hydrauth';

/** An answer of the parts as a response of Hapi's: the same lines in the same spelling, the same octets. */
export function respond(request: Request, answer: Answer, asked: Incoming, parts: Parts): ResponseObject {
  const response = request.generateResponse(answer, { variety, marshal: async () => new Octets(answer, asked, parts) });
  Object.assign(response.headers, fields(answer.headers));
  if (answer.reason !== undefined) response.message(answer.reason);
  return response.code(answer.status);
}

/** The answer that a response was made from, when it is one of these. */
export function answerOf(response: ResponseObject | Boom): Answer | undefined {
  return 'variety' in response && (response.variety as string) === variety ? (response.source as Answer) : undefined;
}

/** Lets Hapi send an error as this answer. It stays an error, which Hapi logs. */
export function sendAs(error: Boom, { status, headers, body }: Answer): void {
  const lines = Object.entries(fields(headers)).map(([name, value]) => [name.toLowerCase(), value]);
  Object.assign(error.output, { statusCode: status, payload: body, headers: Object.fromEntries(lines) });
}

/** Hapi knows headers in lower case and looks for this one, to set its own where there is none; the others it leaves alone. */
const hapiSets = 'Cache-Control';

/** Lines as an object; those of one name together. */
function fields(lines: readonly HeaderLine[]): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [line, value] of lines) {
    const name = line === hapiSets ? line.toLowerCase() : line;
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}

/** The body, without a length of its own: what the answer says of its length, or does not say, is what is sent. */
class Octets extends Readable {
  readonly #send: () => void;
  readonly #body: Buffer;

  constructor(answer: Answer, asked: Incoming, parts: Parts) {
    super();
    asked.raw.res.sendDate = false; // ours stands among the lines
    this.#body = answer.body;
    this.#send = () => parts.wire.send(answer, asked);
  }

  override _read(): void {
    this.push(this.#body);
    this.push(null);
  }

  /** Hapi calls it where nobody listens to what is sent. */
  writeToStream(): void {
    this.#send();
  }
}
