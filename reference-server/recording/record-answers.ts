import { isBoom } from '@hapi/boom';
import type { ResponseObject, Server } from '@hapi/hapi';
import type { Answer, HeaderLine } from '../parts/index.js';
import { answerOf, type Deployment, incoming } from '../plugin/index.js';
import type { Recorder, SwitchedOn } from './recorder.js';

/** Notes every answer as it is about to be sent. */
export function recordAnswers(server: Server, { parts, bases }: Deployment, recorder: Recorder, on: SwitchedOn): void {
  server.ext('onPreResponse', (request, h) => {
    const { response } = request;
    const answer = isBoom(response)
      ? { status: response.output.statusCode, headers: lines(response.output.headers), body: response.output.payload as unknown as Buffer }
      : (answerOf(response) ?? ofApplication(response));
    recorder.note(incoming(request, bases), answer, parts.clock.now(), on);
    return h.continue;
  });
}

/** The answer of a route that somebody has added to the server. */
function ofApplication({ statusCode, headers, source }: ResponseObject): Answer {
  const body = Buffer.isBuffer(source) ? source : Buffer.from(typeof source === 'string' ? source : JSON.stringify(source));
  return { status: statusCode, headers: lines(headers), body };
}

function lines(headers: object): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each): HeaderLine => [name, String(each)]));
}
