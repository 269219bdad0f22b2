import type { Protocol } from '../../spec/index.js';
import { isOfProtocol, type Oracle, placeOf } from '../oracle/index.js';
import { type Exchange, headerValues, type RequestPlan } from '../wire/index.js';

/** What must be known to say what is peculiar to a request. */
export interface Scene {
  readonly protocol: Protocol;
  readonly oracle: Oracle;
  /** The address of the first collection, on which most requests go. */
  readonly firstPlace: string;
  /** When judging began, by the clock of the exchanges. */
  readonly sinceMs: number;
}

export const isQuery = (peculiarity: string): boolean => peculiarity.startsWith('?');

/** What is in a request besides its address and the headers of the protocol. */
export function peculiar({ headers, method, httpVersion, inPieces, target }: RequestPlan, protocol: Protocol): string[] {
  const names = headers.map(([name]) => name.toLowerCase()).filter((name) => !isOfProtocol(name, protocol));
  return [
    ...(method === 'GET' ? [] : [method]),
    ...(httpVersion === undefined ? [] : ['HTTP/1.0']),
    ...(inPieces === undefined ? [] : ['in pieces']),
    ...(target.includes('?') ? [target.slice(target.indexOf('?'))] : []),
    ...names,
  ];
}

/** What a failure needs to happen, as far as its last exchange shows it; the address only where the failure was shrunk to it. */
export function neededBy(last: Exchange, isShrunk: boolean, scene: Scene): string[] {
  const { request } = last;
  return [
    ...peculiar(request, scene.protocol),
    // Only where what was given there is known to open it.
    ...(scene.oracle.isOpenedByItsOwn(request) ? fromElsewhere(request, scene) : []),
    ...afterMoves(last, scene),
    ...(isShrunk ? elsewhere(request, scene) : []),
  ];
}

/** What was there when something else was seen. */
export function thereIn(exchange: Exchange, scene: Scene): string[] {
  const { request } = exchange;
  const { oracle, protocol, sinceMs } = scene;
  const givenMs = headerValues(request, protocol.headers.token).flatMap((each) => oracle.tokens.issueOf(each)?.sentAtMs ?? []);
  const moves = afterMoves(exchange, { ...scene, sinceMs: Math.min(sinceMs, ...givenMs) });
  // A nonce or a token may be bound to whatever stood in the request that was given it.
  const peculiarities = [request, ...oracle.givenTo(request)].flatMap((each) => peculiar(each, protocol));
  return [...peculiarities, ...fromElsewhere(request, scene), ...moves, ...elsewhere(request, scene)];
}

const fromElsewhere = (request: RequestPlan, { oracle }: Scene) =>
  oracle.isFromElsewhere(request) ? ['brought from another address'] : [];

function elsewhere({ target }: RequestPlan, { firstPlace }: Scene): string[] {
  const address = placeOf(target);
  return address === firstPlace ? [] : [`at ${address}`];
}

/** What the passing of time brings about is no reason for what was seen before the clock was moved, unless with a token of before that. */
function afterMoves({ sentAtMs }: Exchange, { oracle, sinceMs }: Scene): string[] {
  return oracle.isMovedBetween(sinceMs, sentAtMs) ? ['after moves of the clock'] : [];
}
