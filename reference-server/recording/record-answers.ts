import { type Boom, isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject } from '@hapi/hapi';
import type { Answer, HeaderLine } from '../parts/index.js';
import { answerOf, type Deployment, incoming } from '../plugin/index.js';
import type { Recorder, SwitchedOn } from './recorder.js';

/** Notes every answer as it is about to be sent. */
export function recordAnswers(
  { parts, bases }: Deployment,
  recorder: Recorder,
  on: SwitchedOn,
): (finish: Lifecycle.Method) => Lifecycle.Method {
  const note = (request: Request, response: ResponseObject | Boom) => {
    const answer = isBoom(response) ? ofError(response) : (answerOf(response) ?? ofApplication(response));
    recorder.note(incoming(request, bases), answer, parts.clock.now(), request.info.received, on);
  };
  return (finish) =>
    function noting(request, h, error) {
      const finished = finish.call(this, request, h, error);
      if (finished === h.continue) {
        note(request, request.response);
        return finished;
      }
      return Promise.resolve(finished).then((instead) => {
        note(request, instead === h.continue ? request.response : (instead as ResponseObject));
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
