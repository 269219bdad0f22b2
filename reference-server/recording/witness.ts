import type { Incoming, Parts, PartsContext } from '../parts/index.js';
import type { Presented } from './exchange.js';
import type { Ledger } from './ledger.js';
import { ending, NonceReader, type SeenNonce } from './nonces.js';

/** What a request brought for Step B, seen before the guard decides: afterwards the nonce is spent. */
export interface Looked {
  readonly nonce: Presented['nonce'];
  readonly seen?: SeenNonce;
  readonly credentials: Presented['credentials'];
  readonly user?: number;
}

/** A request with what was seen of it. */
export interface Watched extends Incoming {
  looked?: Looked;
}

/** While a server is shown a token that another one issued, neither ledger nor store is to hear of it again. */
export interface Teaching {
  isOn: boolean;
}

type Change = (parts: Parts, context: PartsContext) => Parts;

/**
 * The change of a server's parts, between parts that know of ended nonces and parts that look at what is brought and note what is
 * given. A token is noted with the life that it should have, whatever a fault makes of it.
 */
export function witnessing(change: Change, ledger: Ledger, ids: ReadonlySet<number>, teaching: Teaching): Change {
  return (original, context) => {
    const truth: Parts = { ...original, nonces: ending(original.nonces, context, ledger) };
    const parts = change(truth, context);
    const { decide } = parts.guard;
    const { keep } = parts.tokens;
    const { lifetimeMs } = original.tokens;
    const { nonce, authorization } = lowerNames(context);
    const look = looker(truth, context, ledger, ids);
    return {
      ...parts,
      tokens: {
        ...parts.tokens,
        keep(token, record) {
          const kept = keep(token, record);
          if (!teaching.isOn) ledger.keep(token, { ...record, expiresAtMs: record.issuedAtMs + lifetimeMs });
          return kept;
        },
      },
      guard: {
        ...parts.guard,
        decide(request: Watched, all) {
          const { headers } = request;
          if (headers[nonce] === undefined && headers[authorization] === undefined) return decide(request, all);
          return look(headers[nonce], headers[authorization]).then((looked) => {
            request.looked = looked;
            return decide(request, all);
          });
        },
      },
    };
  };
}

function lowerNames({ spec }: PartsContext) {
  const { nonce, authorization } = spec.protocol.headers;
  return { nonce: nonce.toLowerCase(), authorization: authorization.toLowerCase() };
}

function looker({ credentials, clock }: Parts, { spec, store, nonce: policy }: PartsContext, ledger: Ledger, ids: ReadonlySet<number>) {
  const nonces = new NonceReader(spec, store, policy, ledger);

  const lookAtCredentials = async (authorization: unknown): Promise<Pick<Looked, 'credentials' | 'user'>> => {
    if (typeof authorization !== 'string') return { credentials: 'none' };
    const read = credentials.read(authorization);
    if (read === undefined) return { credentials: 'malformed' };
    const user = Number(read.id);
    if (String(user) !== read.id || !ids.has(user)) return { credentials: 'unknown id' };
    return { credentials: (await credentials.verify(read)) === user ? 'right' : 'wrong paraphrase', user };
  };

  return async (nonce: unknown, authorization: unknown): Promise<Looked> => {
    const brought = await lookAtCredentials(authorization);
    if (typeof nonce !== 'string') return { nonce: 'none', ...brought };
    const { state, seen } = await nonces.state(nonce, clock.now());
    return { nonce: state, ...(seen === undefined ? {} : { seen }), ...brought };
  };
}
