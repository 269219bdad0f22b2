import { NotThere, OptionError } from './errors.js';
import type { Settings } from './options.js';
import { isManual } from './parts/index.js';
import type { KnownToken, Recording, SeenNonce } from './recording/index.js';
import type { ServerState } from './running-server.js';
import type { Common } from './server.js';
import type { Switchboard } from './switching/index.js';

const shownTokens = 200;

/** What is recorded; a server that records nothing cannot be asked. */
export function recordingOf({ recording }: Common): Recording {
  if (recording !== undefined) return recording;
  throw new OptionError('recordLast', '0 is not allowed for this; a server that is to be asked what happened keeps at least 1 exchange');
}

/** The oldest tokens that live. */
function livingTokens({ recording }: Common, nowMs: number): readonly KnownToken[] {
  const all = recording?.ledger.tokens() ?? [];
  return all.filter(({ record }) => record.expiresAtMs > nowMs).slice(0, shownTokens);
}

export function tokenWith(isMeant: (token: KnownToken) => boolean, asked: string, common: Common, nowMs: number): KnownToken {
  const found = recordingOf(common).ledger.tokens().find(isMeant);
  if (found !== undefined) return found;
  const living = livingTokens(common, nowMs).map(({ number }) => number);
  throw new NotThere(
    'expire',
    `there is no token ${asked}; ${living.length === 0 ? 'no token lives' : `those that live are ${living.join(', ')}`}`,
  );
}

export async function nonceWith(number: number, common: Common, nowMs: number): Promise<SeenNonce> {
  const open = await recordingOf(common).openNonces(nowMs);
  const found = open.find((each) => each.number === number);
  if (found !== undefined) return found;
  throw new NotThere('expire', `there is no nonce ${number} that opens; there are ${open.map((each) => each.number).join(', ') || 'none'}`);
}

export async function stateOf(
  { clock, collections }: Settings,
  common: Common,
  { faults, variants }: Switchboard,
  url: string,
): Promise<ServerState> {
  const nowMs = clock.now();
  const { last = 0, first = 1 } = common.recording?.recorder ?? {};
  return {
    now: new Date(nowMs).toISOString(),
    nowMs,
    clock: isManual(clock) ? 'manual' : 'system',
    url,
    collections,
    users: [...common.ids],
    tokens: livingTokens(common, nowMs).map(({ number, record }) => ({ number, ...record })),
    nonces: (await common.recording?.openNonces(nowMs)) ?? [],
    faults: faults.on,
    variants: variants.on,
    exchanges: { last, kept: Math.max(0, last - first + 1) },
  };
}
