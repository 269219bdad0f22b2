import { type Chain, type ClockMove, type Exchange, isClockMove } from '../wire/index.js';

/** What a report shows of a body, and as much more as it searches for secrets. */
const keptOctets = 12 * 1024;

/** The exchange with no more of its body than a report shows, because a run keeps many and bodies may be large. */
export function truncateBody(exchange: Exchange, octets = keptOctets): Exchange {
  const { answer } = exchange;
  if (answer === undefined || answer.body.length <= octets) return exchange;
  const body = Buffer.from(answer.body.subarray(0, octets));
  return { ...exchange, answer: { ...answer, body, wholeOctets: answer.wholeOctets ?? answer.body.length } };
}

export function truncateBodies(chain: Chain): Chain {
  return chain.map((link: Exchange | ClockMove) => (isClockMove(link) ? link : truncateBody(link)));
}
