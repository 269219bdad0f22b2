import type { Protocol } from '../../../spec/index.js';
import type { Received } from './answer.js';
import type { Memory } from './pm.js';
import { keptRefusal } from './refusals.js';
import { untested } from './verdict.js';

/** A clock may count in whole seconds. */
const toleranceMs = 1000;

/** What the target's clock said and when it was read, so that slow answers are not taken for an early end of a token. */
export function clockChecks({ token }: Protocol, { success, value }: Received, memory: Memory) {
  const { get, set } = memory;
  return {
    keepClock: (name: string, advancedMs: number) => {
      const now = Date.parse(String((value as { now?: unknown } | null | undefined)?.now));
      const moved = now - Number(get('clock_now') || Number.NaN);
      if (advancedMs === 0) set('clock_began', String(now));
      set(name, success() && (advancedMs === 0 ? now > 0 : moved > advancedMs - toleranceMs) ? 'yes' : '');
      set('clock_now', String(now));
      set('clock_read', String(Date.now()));
    },
    /** A token that was given before is older than the login that gave it again. */
    withinLifetime: (name: string, other: string) => {
      if (get(name) === get(other)) untested('two logins gave the same token, so that its age is not known, see exchange.token-unique');
      const ageMs = Number(get('clock_now')) - Number(get('clock_began')) + Date.now() - Number(get('clock_read'));
      if (ageMs >= token.lifetimeMs) untested('the answers took so long that the lifetime was over');
    },
    /** When a token that nobody used outlives its end, nothing shows whether use prolongs a life. */
    expiresAtAll: (rested: string) => {
      if (keptRefusal(memory, rested)?.granted) untested('tokens do not expire at all, see expiry.refused-after');
    },
  };
}
