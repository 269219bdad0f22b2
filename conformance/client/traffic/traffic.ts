import type { Protocol } from '../../../spec/index.js';
import { type Act, type GivenToken, readActs } from './acts.js';
import type { Log, LoggedRequest } from './log.js';
import { type ClientUser, credentialsIn, type Secrets, secretsOf } from './secrets.js';

/** What is known of a client besides its requests. */
interface Known {
  /** Undefined while a client is watched: nobody says who it is. */
  readonly user?: ClientUser;
  /** Whether the client has come to its end, so that nothing more follows. */
  readonly ended: boolean;
  /** What the client printed, where that can be seen. */
  readonly output?: string | undefined;
}

/** A stretch of traffic, as the protocol reads it. */
export interface Traffic extends Known {
  readonly protocol: Protocol;
  /** The requests at the service, in the order of arrival. */
  readonly acts: readonly Act[];
  /** The tokens that it gave, in the order of issue. */
  readonly tokens: readonly GivenToken[];
  /** The nonces that it gave. */
  readonly nonces: readonly string[];
  /** All requests, those at other origins among them. */
  readonly requests: readonly LoggedRequest[];
  /** The user that the client was told to be, or those as whom it was seen to log in. */
  readonly users: readonly ClientUser[];
  readonly secrets: Secrets;
}

export function readTraffic({ requests }: Log, protocol: Protocol, known: Known): Traffic {
  const { acts, tokens, nonces } = readActs(
    requests.filter(({ at }) => at === 'service'),
    protocol,
  );
  const users = known.user === undefined ? credentialsIn(acts) : [known.user];
  return { ...known, protocol, acts, tokens, nonces, requests, users, secrets: secretsOf(users, tokens) };
}
