import type { Protocol } from '../../spec/index.js';
import { truncateBody } from '../evidence/index.js';
import type { Chain, Exchange } from '../wire/index.js';
import type { NonceRecord } from './nonce-record.js';
import { presentedBy } from './presented.js';
import { movesSince, type TargetTime } from './target-time.js';
import type { Ticket } from './ticket.js';
import type { TokenRecord } from './token-record.js';

/** The exchange that issued a token, after the challenge whose nonce it carried. */
export function chainOfToken(issue: Exchange, nonces: NonceRecord, protocol: Protocol): Exchange[] {
  const { nonce } = presentedBy(issue.request, protocol, []);
  const entry = nonce === undefined ? undefined : nonces.get(nonce);
  return entry === undefined || entry.issue === issue ? [issue] : [entry.issue, issue];
}

/** An exchange, after those that brought what its request carries and the moves of the clock since. */
export function chainOf(
  { nonce, presented: { token } }: Ticket,
  exchange: Exchange,
  tokens: TokenRecord,
  nonces: NonceRecord,
  { protocol, time }: { readonly protocol: Protocol; readonly time: TargetTime },
): Chain {
  const issue = token === undefined ? undefined : tokens.get(token)?.issues[0];
  const before = issue !== undefined ? chainOfToken(issue, nonces, protocol) : nonce === undefined ? [] : [nonce.issue];
  return [...before, ...movesSince(before.at(-1), exchange, time), truncateBody(exchange)];
}
