import type { Protocol } from '../../../spec/index.js';
import { check, exchangeHeaders, type PlannedCheck, type PlannedRequest, request } from './request.js';

export const noNonce = 'the challenge before it gave no nonce';

/** The name under which the collection keeps what came of a request. */
export function stateOf(id: string): string {
  return id.replace(/[.-]/g, '_');
}

/** A request that must be refused. It only remembers what came; the accepted control after it tells the verdict. */
export function toBeRefused(given: Pick<PlannedRequest, 'id' | 'name'> & Partial<PlannedRequest>): PlannedRequest {
  return request({
    shows: 'To be refused; the control after it tells the verdict.',
    sets: [stateOf(given.id)],
    keep: `h.remember('${stateOf(given.id)}');`,
    ...given,
  });
}

/** The verdict on a refusal, told by a control that is `accepted` when it gets what the refused request must not get. */
export function refusedCheck(
  requirement: string,
  what: string,
  refusal: string,
  accepted: 'served' | 'exchanged',
  first = '',
): PlannedCheck {
  return { ...check(requirement, what, `${first}h.refused('${stateOf(refusal)}', h.${accepted})`), refusal };
}

export function askForNonce(id: string, name: string, given: Partial<PlannedRequest> = {}): PlannedRequest {
  return request({ id, name, shows: 'Arranges the next request.', sets: [stateOf(id)], keep: `h.keepNonce('${stateOf(id)}');`, ...given });
}

/** An exchange with the nonce that an earlier request asked for. */
export function exchangeWith(
  protocol: Protocol,
  from: string,
  given: Pick<PlannedRequest, 'id' | 'name'> & Partial<PlannedRequest>,
): PlannedRequest {
  return request({
    shows: 'The accepted control of what was refused before it.',
    headers: exchangeHeaders(protocol, { nonce: stateOf(from), credentials: 'credentials' }),
    after: [from],
    needs: { [stateOf(from)]: noNonce },
    ...given,
  });
}
