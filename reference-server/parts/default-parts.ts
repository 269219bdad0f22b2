import type { Spec } from '../../spec/index.js';
import type { Store } from '../stores/index.js';
import type { User } from '../users.js';
import { makeAnswers } from './answers.js';
import type { Clock } from './clock.js';
import { makeCredentials } from './credentials.js';
import { makeDocuments } from './documents.js';
import { type GuardPolicy, makeGuard } from './guard.js';
import { makeNonces, type NoncePolicy } from './nonces.js';
import type { Parts } from './parts.js';
import { makeResources } from './resources.js';
import { makeTokens } from './tokens.js';
import { makeWire } from './wire.js';

/** What parts are made from. */
export interface PartsContext {
  readonly spec: Spec;
  readonly clock: Clock;
  readonly store: Store;
  /** The users given; none where a function looks them up. */
  readonly users: readonly User[];
  readonly collections: readonly string[];
  readonly guard: GuardPolicy;
  readonly nonce: NoncePolicy;
}

/** The parts of the reference server. */
export function defaultParts({ spec, clock, store, collections, guard, nonce }: PartsContext): Parts {
  return {
    clock,
    guard: makeGuard(spec, guard),
    nonces: makeNonces(spec, nonce, clock, store),
    credentials: makeCredentials(spec, store),
    tokens: makeTokens(spec, clock, store),
    answers: makeAnswers(spec, clock),
    documents: makeDocuments(spec, collections),
    resources: makeResources(spec, collections),
    wire: makeWire(),
  };
}
