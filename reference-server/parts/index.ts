import { makeAnswers, plainWire } from './answers.js';
import { makeGuard } from './guard.js';
import type { Parts, PartsContext } from './parts.js';
import { makeDocuments, makeResources } from './resources.js';
import { makeCredentials, makeNonces, makeTokens } from './secrets.js';

export { everyAnswer, mapHeader, octetsOf, renameHeader, withBody, withHeader, withoutHeader } from './answers.js';
export { type Advance, type Clock, isManual, type ManualClock, manualClock, systemClock } from './clock.js';
export type * from './parts.js';
export { collectionPath } from './resources.js';
export { nonceOpener } from './secrets.js';

export function defaultParts(context: PartsContext): Parts {
  return {
    clock: context.clock,
    guard: makeGuard(context),
    nonces: makeNonces(context),
    credentials: makeCredentials(context),
    tokens: makeTokens(context),
    answers: makeAnswers(context),
    documents: makeDocuments(context),
    resources: makeResources(context),
    wire: plainWire,
  };
}
