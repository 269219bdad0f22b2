import { isDeepStrictEqual } from 'node:util';
import type { Protocol } from '../../spec/index.js';
import {
  authenticate,
  bad,
  contentType,
  type Expander,
  good,
  type Judgement,
  nonceOf,
  parseJson,
  readBody,
  shown,
  shownBody,
} from '../expect/index.js';
import { type Answer, type Exchange, fromTarget, headerValues } from '../wire/index.js';

export function status(answer: Answer, wanted: number): Judgement {
  return answer.status === wanted ? good : bad(`status ${wanted}`, `status ${answer.status}`);
}

/** A body that was cut short or is too long is told by the law about its length alone. */
export function hasWholeBody({ request, answer, problem }: Exchange): boolean {
  return request.method !== 'HEAD' && answer?.status !== 204 && answer?.status !== 206 && problem === undefined;
}

export function parses(answer: Answer): Judgement {
  const { problem } = readBody(answer);
  return problem === undefined ? good : bad('a body of JSON in UTF-8', problem);
}

/** A body that does not parse is told of elsewhere; a context that nobody may fetch says nothing. */
export async function expands(answer: Answer, expander: Expander, documentUrl: URL): Promise<Judgement | undefined> {
  const reading = readBody(answer);
  if (reading.problem !== undefined || reading.value === undefined) return undefined;
  const result = await expander.expand(reading.value, documentUrl);
  if (result.ok) return good;
  return result.judgeable ? bad('a body that expands as JSON-LD', result.problem) : undefined;
}

export function strictJson(answer: Answer): Judgement | undefined {
  const { problem, duplicates, bom } = readBody(answer);
  if (problem !== undefined) return undefined;
  if (bom) return bad('JSON without a byte-order mark', 'a byte-order mark before the body');
  return duplicates.length === 0
    ? good
    : bad('no duplicate member names', `${fromTarget(duplicates.slice(0, 5).join(', '))} more than once`);
}

/** Whether an answer looks like another, apart from the value of its nonce and its date. Both sides of every difference are shown. */
export function likeAnswer(answer: Answer, own: Answer, protocol: Protocol): Judgement {
  const { headers } = protocol;
  const header = (name: string) => (of: Answer) => shown(name, headerValues(of, name));
  const nonceWords = (of: Answer) => (nonceOf(of, protocol) === undefined ? 'no nonce' : 'a nonce');
  const differences: ((of: Answer) => string)[] = [
    ...(answer.status === own.status ? [] : [(of: Answer) => `status ${of.status}`]),
    ...(contentType(answer, protocol).ok === contentType(own, protocol).ok ? [] : [header(headers.contentType)]),
    ...(authenticate(answer, protocol).ok === authenticate(own, protocol).ok ? [] : [header(headers.authenticate)]),
    ...(nonceWords(answer) === nonceWords(own) ? [] : [nonceWords]),
    ...(sameBody(answer.body, own.body) ? [] : [(of: Answer) => `the body ${shownBody(of)}`]),
  ];
  const told = (of: Answer) => differences.map((words) => words(of)).join('\n');
  return differences.length === 0 ? good : bad(`as without credentials: ${told(own)}`, told(answer));
}

function sameBody(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  const [left, right] = [parseJson(one), parseJson(other)];
  return left.problem === undefined && right.problem === undefined && isDeepStrictEqual(left.value, right.value);
}
