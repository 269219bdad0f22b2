import { Readable } from 'node:stream';
import type { Boom } from '@hapi/boom';
import type { Request, ResponseObject } from '@hapi/hapi';
import type { Answer, HeaderLine, Incoming, Parts } from '../parts/index.js';
import type { Asked } from './deployment.js';

const variety = 'hydrauth';

/** An answer of the parts as a response of Hapi's: the same lines in the same spelling, the same octets. */
export function respond(request: Request, answer: Answer, { asked, by: { parts } }: Asked): ResponseObject {
  const response = request.generateResponse(answer, { variety, marshal: async () => new Octets(answer, asked, parts) });
  addFields(response.headers, answer.headers);
  request.info.acceptEncoding = 'identity'; // a compressed answer has no length
  if (answer.reason !== undefined) response.message(answer.reason);
  return response.code(answer.status);
}

/** The answer that a response was made from, when it is one of these. */
export function answerOf(response: ResponseObject | Boom): Answer | undefined {
  return 'variety' in response && (response.variety as string) === variety ? (response.source as Answer) : undefined;
}

/** Lets Hapi send an error as this answer. It stays an error, which Hapi logs. */
export function sendAs(error: Boom, { status, headers, body }: Answer): void {
  const lines = headers.map(([name, value]): HeaderLine => [name.toLowerCase(), value]);
  Object.assign(error.output, { statusCode: status, payload: body, headers: addFields({}, lines) });
}

/** Hapi knows headers in lower case and looks for this one, to set its own where there is none; the others it leaves alone. */
const hapiSets = 'Cache-Control';
const hapiName = hapiSets.toLowerCase();

type Fields = Record<string, string | string[]>;

/** Lines as members of an object, those of one name together. */
function addFields(to: object, lines: readonly HeaderLine[]): Fields {
  const all = to as Fields;
  for (const [line, value] of lines) {
    const name = line === hapiSets ? hapiName : line;
    all[name] = Object.hasOwn(all, name) ? [all[name] as string, value].flat() : value;
  }
  return all;
}

/** The body, without a length of its own: what the answer says of its length, or does not say, is what is sent. */
class Octets extends Readable {
  constructor(
    readonly answer: Answer,
    readonly asked: Incoming,
    readonly parts: Parts,
  ) {
    super();
    asked.raw.res.sendDate = false; // ours stands among the lines
  }

  override _read(): void {
    this.push(this.answer.body);
    this.push(null);
  }

  /** Hapi calls it where nobody listens to what is sent. */
  writeToStream(): void {
    this.parts.wire.send(this.answer, this.asked);
  }
}
