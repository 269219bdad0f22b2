import { type Boom, isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject } from '@hapi/hapi';
import type { Answer, HeaderLine } from '../parts/index.js';
import { answerOf } from '../plugin/index.js';

/** What a request meets before its answer is noted, and after that. */
export interface Trouble {
  before(raw: Request['raw']): Promise<unknown>;
  after(raw: Request['raw']): Promise<unknown>;
}

/** Notes every answer as it is about to be sent. */
export function recordAnswers(
  note: ((request: Request, answer: Answer) => void) | undefined,
  troubleOf: (request: Request) => Trouble | undefined,
): (finish: Lifecycle.Method) => Lifecycle.Method {
  const noteResponse = (request: Request, response: ResponseObject | Boom) =>
    note?.(request, isBoom(response) ? ofError(response) : (answerOf(response) ?? ofApplication(response)));
  return (finish) =>
    function noting(request, h, error) {
      const finished = finish.call(this, request, h, error);
      const trouble = troubleOf(request);
      if (finished === h.continue && trouble === undefined) {
        noteResponse(request, request.response);
        return finished;
      }
      return Promise.resolve(finished).then(async (instead) => {
        await trouble?.before(request.raw);
        noteResponse(request, instead === h.continue ? request.response : (instead as ResponseObject));
        await trouble?.after(request.raw);
        return instead;
      });
    };
}

function ofError({ output }: Boom): Answer {
  return { status: output.statusCode, headers: lines(output.headers), body: output.payload as unknown as Buffer };
}

/** The answer of a route that somebody has added to the server. */
function ofApplication({ statusCode, headers, source }: ResponseObject): Answer {
  const body = Buffer.isBuffer(source) ? source : Buffer.from(typeof source === 'string' ? source : JSON.stringify(source));
  return { status: statusCode, headers: lines(headers), body };
}

function lines(headers: object): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each): HeaderLine => [name, String(each)]));
}
