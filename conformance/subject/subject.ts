import type { Protocol, Spec } from '../../spec/index.js';
import type { TargetClock } from '../clock/index.js';
import type { Redactor } from '../evidence/index.js';
import type { Expander } from '../expect/index.js';
import type { Finding } from '../finding.js';
import type { User } from '../options.js';
import type { Oracle } from '../oracle/index.js';
import type { Chain, Client, Exchange } from '../wire/index.js';
import type { Accounts } from './accounts.js';
import type { Role } from './role.js';

/** What a run found out about its target before judging it. */
interface Facts {
  /** The run judges a deployment whose authentication is switched off. */
  readonly off: boolean;
  /** The status with which the target answers a plain read without credentials; undefined when that read is not refused. */
  challengeStatus?: number;
  /** The known addresses that refuse a plain read without credentials; what builds on a refusal builds on these. */
  guardedPaths?: readonly string[];
  /** That answer, to hold refusals against. */
  challenge?: Exchange;
  /** The same for every known address, by the target of its request. */
  challenges?: ReadonlyMap<string, Exchange>;
  /** Why Step A cannot be built upon, as a sentence; undefined when it can. */
  noNonce?: string;
  /** Why Step B cannot be built upon. */
  noLogin?: string;
  /** Set when every given user was refused: perhaps the caller's mistake, and no finding about the target. */
  loginRefused?: string;
  /** Why the target is judged one check after another; undefined when checks can run beside each other. */
  oneAtATime?: string;
  /** Said when the target attends to one connection at a time. */
  oneConnection?: string;
  /** What the caller should perhaps call otherwise, such as with a profile. */
  hint?: string;
  /** Said when connections remember who was let in on them. */
  connectionsRemember?: string;
  /** Said when what must be granted is granted now and then. */
  unsteady?: Finding | undefined;
  /** Why the clock failed in the middle of the run. */
  clockFailed?: string;
  /** Said when something else moved the clock during the run. */
  clockShared?: string;
  /** Set when the login of one user was seen to end the token of another. */
  loginsEnd?: true;
  /** Set when a nonce that came with a refusal has opened. */
  refusalsOffer?: true;
  /** Seen in the answer to a valid token. */
  etag?: string;
  /** What the target set in any step so far, as a client would send it back to an address. */
  readonly cookieFor?: (target: string) => string | undefined;
  /** Why Step C cannot be built upon. */
  noUse?: string;
}

/** What must be known of a target to judge its answers. */
export type Looked = Pick<Subject, 'protocol' | 'baseUrl' | 'facts' | 'oracle' | 'expander' | 'firstSeen'>;

/** The target of a run and everything the checks share about it. */
export interface Subject {
  readonly spec: Spec;
  readonly protocol: Protocol;
  readonly baseUrl: URL;
  /** The path of the base URL without a slash at the end. */
  readonly basePath: string;
  /** The first one is refused to strangers, where any is. */
  collections: readonly [string, ...string[]];
  /** Every user given. */
  readonly users: readonly User[];
  /** Those of them that could log in; what is not about users builds on these. */
  readonly ableUsers: User[];
  /** Those whose fresh tokens were seen to work since the clock was moved last, or are being tried. */
  readonly provenUsers: Map<User, Promise<void>>;
  /** Whoever gives wrong credentials to an account borrows it here. */
  readonly accounts: Accounts;
  readonly client: Client;
  readonly clock: TargetClock;
  readonly oracle: Oracle;
  readonly expander: Expander;
  readonly redactor: Redactor;
  readonly toleranceMs: number;
  readonly concurrency: number;
  readonly facts: Facts;
  /** Where each nonce and each token was seen first. */
  readonly firstSeen: Map<string, Exchange>;
  /** A valid token that checks which are not about tokens share, and the exchanges that brought it. */
  sharedToken(): Promise<{ readonly value: string; readonly chain: Chain }>;
  /** Told of every exchange that has a role in the three steps. */
  onExchange(exchange: Exchange, role: Role, chain: Chain): void;
  /** Told of every case of a law, with its exchanges. */
  onCase?(check: string, chain: Chain): void;
  /** Nonces that came with challenges to others and were not presented, the oldest first. */
  readonly spareNonces: { readonly nonce: string; readonly exchange: Exchange }[];
  /** An id that nobody has, another one each time; the seed of the run repeats them. */
  unusedId(): string;
  /** Malformed credentials and tokens that some answer came to. */
  readonly answered: Set<string>;
  /** An account that began to refuse its own paraphrase after wrong ones, and with what. */
  lockedOut?: string;
}
