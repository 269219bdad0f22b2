import { type Chain, type ClockMove, type Exchange, isClockMove } from '../wire/index.js';

/** What a report shows of a body, and the length of a secret at the cut. */
const keptOctets = 12 * 1024;

/** The exchange with no more of its body than a report shows: a run remembers many, and a target may make them as large as it likes. */
export function truncateBody(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer === undefined || answer.body.length <= keptOctets) return exchange;
  const body = Buffer.from(answer.body.subarray(0, keptOctets));
  return { ...exchange, answer: { ...answer, body, wholeOctets: answer.wholeOctets ?? answer.body.length } };
}

export function truncateBodies(chain: Chain): Chain {
  return chain.map((link: Exchange | ClockMove) => (isClockMove(link) ? link : truncateBody(link)));
}
