import type { Protocol, Spec } from '../../spec/index.js';
import type { TargetClock } from '../clock/index.js';
import type { Redactor } from '../evidence/index.js';
import { type Expander, isLimited } from '../expect/index.js';
import type { Because, Finding } from '../finding.js';
import type { User } from '../options.js';
import { grantOf, type Oracle } from '../oracle/index.js';
import type { Answer, Chain, Client, Exchange, RequestPlan } from '../wire/index.js';
import type { Accounts } from './accounts.js';

/** What an exchange is within the protocol, by what the request carried. */
export type Role =
  | 'challenge' // no credentials at all
  | 'exchange' // a fresh nonce and correct credentials
  | 'use' // a valid token
  | 'refused-credentials' // wrong credentials or a wrong nonce
  | 'refused-token' // an unknown token
  | 'refused-expired' // an expired token
  | 'unguarded'; // authentication is switched off

export interface Nonce {
  readonly value: string;
}

export interface Token {
  readonly value: string;
  readonly user: User;
}

/** How to send: anything that differs from a plain GET of the first collection. */
export interface Sending extends Partial<RequestPlan> {
  /** A path below the base URL, with its slash; or use `target` for the whole. */
  readonly path?: string;
  /** How the names of the protocol's headers are written. */
  readonly nameCase?: (name: string) => string;
}

/** What a run found out about its target before judging it. What says why or that something is so is a sentence; otherwise undefined. */
interface Facts {
  readonly off: boolean;
  /** The status with which the target answers a plain read without credentials; undefined when that read is not refused. */
  challengeStatus?: number;
  /** The known addresses that refuse a plain read without credentials; what builds on a refusal builds on these. */
  guardedPaths?: readonly string[];
  /** That answer, to hold refusals against. */
  challenge?: Exchange;
  /** The same for every known address, by the target of its request. */
  challenges?: ReadonlyMap<string, Exchange>;
  /** Why Steps A, B and C cannot be built upon. */
  noNonce?: string | Because;
  noLogin?: string | Because;
  noUse?: string | Because;
  /** Set when every given user was refused: perhaps the caller's mistake, and no finding about the target. */
  loginRefused?: string;
  /** Why the target is judged one check after another. */
  oneAtATime?: string;
  oneConnection?: string;
  /** What the caller should perhaps call otherwise, such as with a profile. */
  hint?: string;
  connectionsRemember?: string;
  /** Said when what must be granted is granted now and then. */
  unsteady?: Finding | undefined;
  clockFailed?: string;
  /** Why moves of the clock say nothing of a target that was not seen to follow them. */
  clockUnfollowed?: string;
  clockShared?: string;
  /** Set when the login of one user was seen to end the token of another. */
  loginsEnd?: true;
  /** Set when a nonce that came with a refusal has opened. */
  refusalsOffer?: true;
  /** Seen in the answer to a valid token. */
  etag?: string;
  /** What the target set in any step so far, as a client would send it back to an address. */
  readonly cookieFor?: (target: string) => string | undefined;
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
  readonly users: readonly User[];
  /** Those of them that could log in; what is not about users builds on these. */
  readonly ableUsers: User[];
  /** Those whose fresh tokens were seen to work since the clock was moved last, or are being tried. */
  readonly provenUsers: Map<User, Promise<void>>;
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
  onCase?(check: string, chain: Chain): void;
  /** Nonces that came with challenges to others and were not presented, the newest last, and after how many requests they came. */
  readonly spareNonces: { readonly nonce: string; readonly exchange: Exchange; readonly requests: number }[];
  /** An id that nobody has, another one each time; the seed of the run repeats them. */
  unusedId(): string;
  /** Malformed credentials and tokens that some answer came to. */
  readonly answered: Set<string>;
  /** An account that began to refuse its own paraphrase after wrong ones, and with what. */
  lockedOut?: string;
}

/** Every address of the target that is known to exist: its collections and its vocabulary. */
export function knownPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.collections;
  return [`/${first}`, ...more.map((name) => `/${name}`), subject.protocol.link.path];
}

/** Puts the collections first that refuse strangers. */
export function guardedFirst(subject: Subject, isGuarded: (path: string) => boolean): void {
  const openness = (name: string) => (isGuarded(`/${name}`) ? 0 : 1);
  const [first, ...more] = [...subject.collections].sort((one, other) => openness(one) - openness(other));
  subject.collections = [first as string, ...more];
}

/** Those of them that refuse a plain read without credentials. Of the others one law tells, and nothing more is built on them. */
export function guardedPaths(subject: Subject): [string, ...string[]] {
  const [first, ...more] = subject.facts.guardedPaths ?? [];
  return first === undefined ? [knownPaths(subject)[0]] : [first, ...more];
}

/** Whether the answer is the message that its role calls for, so that its details can be judged. */
export function isMessageOf(
  role: Role,
  exchange: Exchange,
  { protocol, facts: { challengeStatus } }: Pick<Looked, 'protocol' | 'facts'>,
): exchange is Exchange & { answer: Answer } {
  const { answer } = exchange;
  // These come only where the request asked for less than the message.
  if (answer === undefined || isLimited(answer) || [206, 304, 412].includes(answer.status)) return false;
  // A refusal that holds the resource has the details of one all the same.
  const grant = answer.discloses === true ? 'nothing' : grantOf(answer, protocol);
  if (role === 'exchange') return grant !== 'nothing';
  if (role === 'use' || role === 'unguarded') return grant === 'served';
  return grant === 'nothing' && (role !== 'challenge' || challengeStatus === undefined || answer.status === challengeStatus);
}
