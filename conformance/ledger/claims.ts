import type { Protocol } from '../../spec/index.js';
import type { User } from '../options.js';
import type { Exchange } from '../wire/index.js';
import { type Addresses, type Claim, strangerClause, tokenClauses, wrongLogin } from './clauses.js';
import type { LoginRecord } from './login-record.js';
import type { TargetTime } from './target-time.js';
import type { Ticket } from './ticket.js';
import type { TokenEntry, TokenRecord } from './token-record.js';

/** The target, as a run is told of it. */
export interface LedgerContext {
  readonly protocol: Protocol;
  readonly users: readonly User[];
  readonly addresses: Addresses;
  readonly toleranceMs: number;
  readonly time: TargetTime;
}

/** What a claim is made of: that, and what the run knows by now. */
interface Known extends LedgerContext {
  readonly tokens: TokenRecord;
  readonly logins: LoginRecord;
}

/** What the answer to a request must be; undefined where the text leaves it open. */
export function claimOf(ticket: Ticket, exchange: Exchange, known: Known): Claim | undefined {
  const { presented, plan } = ticket;
  if (presented.repeated) return undefined;
  const { token, nonce, credentials } = presented;
  const entry = token === undefined ? undefined : known.tokens.get(token);
  if (token !== undefined && entry !== undefined) {
    // Rows of their own say what counts where a nonce or credentials stand beside a token, living or ended.
    return nonce === undefined && credentials === undefined ? tokenClaim(token, entry, exchange, known) : undefined;
  }
  if (token !== undefined && known.tokens.has(token)) return undefined;
  if (nonce === undefined && credentials === undefined) {
    if (token !== undefined)
      return { about: 'unknown-token', must: 'refused', what: 'a token that was never issued', requirement: 'token.unknown-refused' };
    const requirement = plan.method === 'OPTIONS' ? undefined : strangerClause(plan, known.addresses);
    return requirement === undefined
      ? undefined
      : { about: 'stranger', must: 'refused', what: `${plan.method} ${plan.target} without credentials`, requirement };
  }
  return loginClaim(ticket, known.logins);
}

function loginClaim({ presented, nonce: known }: Ticket, logins: LoginRecord): Claim | undefined {
  const { token, nonce, credentials } = presented;
  if (credentials?.kind === 'open') return undefined;
  if (nonce === undefined || credentials === undefined || credentials.kind === 'wrong') return wrongLogin(presented);
  if (known === undefined) return wrongLogin(presented);
  const { user } = credentials;
  // A row of its own asks in which encoding other characters are understood.
  if (/[^ -~]/.test(user.paraphrase)) return undefined;
  if (token !== undefined || known.wasPresented || logins.wrongAttempts(user) > 0) return undefined;
  return {
    about: 'login',
    must: 'granted',
    what: `user ${user.id} with a fresh nonce and the right paraphrase`,
    requirement: 'exchange.status',
  };
}

function tokenClaim(token: string, entry: TokenEntry, exchange: Exchange, known: Known): Claim | undefined {
  const { protocol, toleranceMs, tokens } = known;
  const { lifetimeMs } = protocol.token;
  const { leastMs, mostMs } = tokens.ageOf(token, exchange);
  if (leastMs >= lifetimeMs + toleranceMs)
    return { about: 'expired-token', must: 'refused', what: 'a token whose time is over', requirement: 'expiry.refused-after' };
  if (mostMs > lifetimeMs - toleranceMs) return undefined;
  const how = leastMs > lifetimeMs / 2 ? 'old' : entry.honoured > 0 ? 'again' : 'first';
  return { about: 'valid-token', must: 'granted', ...tokenClauses[how] };
}
