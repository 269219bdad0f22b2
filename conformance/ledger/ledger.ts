import { nonceOf, tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import type { Chain, Exchange, HeaderLine, RequestPlan } from '../wire/index.js';
import { chainOf, chainOfToken } from './chains.js';
import { claimOf, type LedgerContext } from './claims.js';
import { type About, type Claim, mayBeHeld } from './clauses.js';
import type { Contradiction, Rate } from './contradiction.js';
import { grantOf, isLimited } from './grants.js';
import { type Excuse, LoginRecord } from './login-record.js';
import { NonceRecord } from './nonce-record.js';
import { placeOf } from './place.js';
import { accountOf, type Credentials, presentedBy } from './presented.js';
import { ServedRecord } from './served-record.js';
import type { Span } from './target-time.js';
import type { Ticket } from './ticket.js';
import { TokenRecord } from './token-record.js';

const mostKept = 400;

/**
 * Knows every nonce and token that the target gave in this run, and what every request carried. From these and the spec it follows what
 * each answer must be, whoever asked and why.
 */
export class Ledger {
  private readonly tokens: TokenRecord;
  private readonly nonces: NonceRecord;
  private readonly logins: LoginRecord;
  private readonly served = new ServedRecord();
  private readonly found: Contradiction[] = [];
  private readonly openPlaces = new Set<string>();
  private readonly counts = new Map<About, Rate>();
  /** The status that this target gives to strangers, once it is known. */
  challengeStatus: number | undefined;

  constructor(private readonly context: LedgerContext) {
    this.tokens = new TokenRecord(context.time);
    this.nonces = new NonceRecord(context.protocol);
    this.logins = new LoginRecord(this.nonces.issues);
  }

  /** To be called before a request goes out. */
  begin(plan: RequestPlan): Ticket {
    const presented = presentedBy(plan, this.context.protocol, this.context.users);
    const nonce = presented.nonce === undefined ? undefined : this.nonces.present(presented.nonce);
    return { plan, presented, nonce };
  }

  /** To be called when its answer is there. Gives the contradiction, if the answer is one. */
  end(ticket: Ticket, exchange: Exchange): Contradiction | undefined {
    const claim = this.claim(ticket, exchange);
    const contradiction = claim === undefined ? undefined : this.hold(claim, ticket, exchange);
    this.remember(ticket, exchange);
    return contradiction;
  }

  /** The exchange, with a note where it must be a refusal and its body holds what is served: to be called before `end`. */
  holdingUp(ticket: Ticket, exchange: Exchange): Exchange {
    const { answer } = exchange;
    if (answer === undefined || !this.served.isIn(answer) || this.claim(ticket, exchange)?.must !== 'refused') return exchange;
    return { ...exchange, answer: { ...answer, discloses: true } };
  }

  issued(nonce: string): boolean {
    return this.nonces.get(nonce) !== undefined;
  }

  /** The first exchange that gave this token. */
  issueOf(token: string): Exchange | undefined {
    return this.tokens.get(token)?.issues[0];
  }

  /** Whether some answer gave this token, in any letter case. */
  hasIssued(token: string): boolean {
    return this.tokens.has(token);
  }

  /** The first token that each user got in this run. */
  firstTokens(): { readonly value: string; readonly user: User }[] {
    return this.tokens.firsts();
  }

  /** Whether the target has handed out some token twice. */
  get repeatsTokens(): boolean {
    return this.tokens.hasRepetitions;
  }

  wasHandedOutAgain(token: string): boolean {
    return (this.tokens.get(token)?.issues.length ?? 0) > 1;
  }

  /** Whether a token was seen to open something. */
  wasHonoured(token: string): boolean {
    return (this.tokens.get(token)?.honoured ?? 0) > 0;
  }

  /** Whether a stranger was served at this address. */
  servesStrangers(target: string): boolean {
    return this.openPlaces.has(placeOf(target));
  }

  /** The age of a token at the time of an exchange: at the least since it was given last, at the most since it was given first. */
  ageOf(token: string, exchange: Exchange): Span {
    return this.tokens.ageOf(token, exchange);
  }

  /** The exchanges that led to a token, for evidence. */
  chainTo(token: string): Chain {
    const issue = this.issueOf(token);
    return issue === undefined ? [] : chainOfToken(issue, this.nonces, this.context.protocol);
  }

  rate(about: About): Rate {
    return this.counts.get(about) ?? { of: 0, contradicted: 0 };
  }

  /** Why refusals of logins may be open: to be asked when the run is over. */
  excuses(): (login: Exchange) => Excuse | undefined {
    const inLocks = this.logins.inLocks();
    return ({ request }) => (inLocks.has(request) ? 'locked' : this.logins.isOpen(request) ? 'displaced' : undefined);
  }

  /**
   * All contradictions but those with an explanation. A login may be refused because its nonce was no longer the newest, because the
   * address was locked, or, where nobody could ever log in, because the given users are none of the target's. A token that seemed made
   * up may have been issued since.
   */
  contradictions(): Contradiction[] {
    const nobodyLoggedIn = this.logins.granted === 0;
    const excuseOf = this.excuses();
    return this.found.filter(
      ({ exchange, claim }) =>
        !(claim.about === 'login' && (nobodyLoggedIn || excuseOf(exchange) !== undefined)) &&
        !(claim.about === 'unknown-token' && this.isKnownBy(exchange)),
    );
  }

  /** Where tokens are numbered, one that was made up may have been issued by the time the answer came. */
  private isKnownBy({ request }: Exchange): boolean {
    const { token } = presentedBy(request, this.context.protocol, []);
    return token !== undefined && this.hasIssued(token);
  }

  private claim(ticket: Ticket, exchange: Exchange): Claim | undefined {
    return claimOf(ticket, exchange, { ...this.context, tokens: this.tokens, logins: this.logins });
  }

  private hold(claim: Claim, ticket: Ticket, exchange: Exchange): Contradiction | undefined {
    const { protocol, addresses } = this.context;
    const { answer } = exchange;
    if (answer === undefined || isLimited(answer)) return undefined;
    // A grant to a stranger is wrong in every circumstance.
    if (claim.must === 'granted' && !mayBeHeld(ticket.plan, answer, addresses)) return undefined;
    const grant = grantOf(answer, protocol);
    // A challenge with a status of success looks like a resource when it has no body.
    if (grant === 'served' && exchange.request.method === 'HEAD' && answer.status === this.challengeStatus) return undefined;
    if (claim.about === 'valid-token' && grant === 'served' && ticket.plan.method === 'GET')
      this.served.note(answer, ticket.plan.target === `${addresses.basePath}${addresses.vocabulary}`);
    const contradicts = (grant === 'nothing') === (claim.must === 'granted');
    const rate = this.counts.get(claim.about) ?? { of: 0, contradicted: 0 };
    this.counts.set(claim.about, { of: rate.of + 1, contradicted: rate.contradicted + (contradicts ? 1 : 0) });
    if (contradicts && claim.about === 'stranger') this.openPlaces.add(placeOf(ticket.plan.target));
    if (!contradicts || this.found.length >= mostKept) return undefined;
    const contradiction: Contradiction = { claim, exchange, chain: chainOf(ticket, exchange, this.tokens, this.nonces, this.context) };
    this.found.push(contradiction);
    return contradiction;
  }

  /** How often in a row requests with credentials of the same account as these were refused, and whose they are. */
  refusedInARow(headers: readonly HeaderLine[]): { readonly account: User; readonly times: number } | undefined {
    const account = accountOf(presentedBy({ headers }, this.context.protocol, this.context.users).credentials);
    return account && { account, times: this.logins.refusedInARow(account) };
  }

  /** Notes what an answer gives without holding it to anything: to be called instead of `end`. */
  remember(ticket: Ticket, exchange: Exchange): void {
    const { answer } = exchange;
    const { protocol } = this.context;
    if (answer === undefined) return;
    const { token, credentials } = ticket.presented;
    const known = token === undefined ? undefined : this.tokens.get(token);
    if (known !== undefined && grantOf(answer, protocol) !== 'nothing') known.honoured += 1;
    const given = tokenOf(answer, protocol);
    const isIssue = given !== undefined && given !== token;
    if (credentials?.kind === 'wrong' && credentials.account !== undefined) this.logins.noteWrong(credentials.account);
    // A server error is no refusal: neither a nonce nor a lock is behind it.
    if (credentials !== undefined && (isIssue || answer.status < 500)) this.noteLogin(ticket, credentials, exchange, isIssue);
    if (isIssue) this.tokens.noteIssued(given, credentials?.kind === 'right' ? credentials.user : undefined, exchange);
    const nonce = nonceOf(answer, protocol);
    if (nonce !== undefined) this.nonces.noteIssued(nonce, exchange, ticket.nonce !== undefined);
  }

  private noteLogin({ nonce }: Ticket, credentials: Credentials, exchange: Exchange, isGranted: boolean): void {
    const isFresh = credentials.kind !== 'wrong' && nonce?.wasPresented === false;
    if (isFresh) this.logins.notePresented(nonce.issue, exchange, this.context.time.between(nonce.issue, exchange), isGranted);
    if (!isGranted) this.logins.noteRefused(exchange, isFresh ? 'right' : 'wrong', accountOf(credentials));
    else if (credentials.kind === 'right') this.logins.noteGranted(credentials.user, exchange);
  }
}
