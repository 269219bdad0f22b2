import { setImmediate } from 'node:timers/promises';
import { allow, checkOptions } from '../spec/index.js';
import type { ExchangeFilter, ServerState } from './contract.js';
import { NotThere, OptionError } from './errors.js';
import type { Settings } from './options.js';
import { type Clock, isManual, type ManualClock } from './parts/index.js';
import { filterChecks, type KnownToken, type Recording } from './recording/index.js';
import type { Cast, Common } from './server.js';
import type { FixtureSwitches, Switchboard, TroubleSwitches } from './switching/index.js';
import { type User, validUser } from './users.js';

const patienceMs = 5000;
const shownTokens = 200;

/** What is recorded; a server that records nothing cannot be asked. */
export function recordingOf({ recording }: Common): Recording {
  if (recording !== undefined) return recording;
  throw new OptionError('recordLast', '0 is not allowed for this; a server that is to be asked what happened keeps at least 1 exchange');
}

/** What a test may ask of a running server and change about it. The control listener offers the same over HTTP. */
export type Steering = Readonly<ReturnType<typeof steer>>;

type Switching = Readonly<Record<'faults' | 'variants', FixtureSwitches>> & { readonly troubles: TroubleSwitches };

export function steer(settings: Settings, { parts, bases }: Cast, common: Common, switchboard: Switchboard) {
  const { store, ids } = common;
  const { clock } = parts;
  const { faults, variants, troubles }: Switching = switchboard;
  const changed = () => common.recording?.tell('change');
  const there = () => `there are ${[...ids].join(', ') || 'none'}`;
  const livingTokens = () => {
    const all = common.recording?.ledger.tokens() ?? [];
    return all.filter(({ record }) => record.expiresAtMs > clock.now()).slice(0, shownTokens);
  };

  const endToken = async (isMeant: (token: KnownToken) => boolean, asked: string) => {
    const { ledger } = recordingOf(common);
    const found = ledger.tokens().find(isMeant);
    if (found === undefined) {
      const living = livingTokens().map(({ number }) => number);
      throw new NotThere(
        'expire',
        `there is no token ${asked}; ${living.length === 0 ? 'no token lives' : `those that live are ${living.join(', ')}`}`,
      );
    }
    const ended = { ...found.record, expiresAtMs: Math.min(found.record.expiresAtMs, clock.now()) };
    await store.putToken(found.text, ended, clock.now());
    switchboard.teach(ledger.keep(found.text, ended));
  };

  const endNonce = async (number: number) => {
    const recording = recordingOf(common);
    const open = (await recording.openNonces()).map((each) => each.number);
    if (!open.includes(number))
      throw new NotThere('expire', `there is no nonce ${number} that opens; there are ${open.join(', ') || 'none'}`);
    recording.ledger.endNonce(number);
  };

  return {
    get clock(): Clock | ManualClock {
      return clock;
    },
    collections: settings.collections,
    /** Ids only. */
    get users(): readonly number[] {
      return [...ids];
    },
    /** The last exchanges, oldest first, without secrets. */
    get recorded() {
      return common.recording?.list() ?? [];
    },
    /** Switches faults on and off: `server.faults.use('token-once', { state: 'valid token', next: 3 })`. */
    faults,
    variants,
    /** Asks for trouble: `server.troubles.use({ status: 503, step: 'B', next: 2 })`. The first one that fits a request is met. */
    troubles,
    /** A valid token of the user with this id, or of the first one. */
    async issueToken(user: number | undefined = ids.values().next().value) {
      if (user === undefined || !ids.has(user)) throw new NotThere('issueToken', `there is no user ${String(user)}; ${there()}`);
      const token = await parts.tokens.issue(user, parts);
      changed();
      return token;
    },
    /** Ends a token or a nonce now: by its text, or by its number. */
    async expire(what: string | { readonly token: number } | { readonly nonce: number }) {
      const { ledger, openNonce } = recordingOf(common);
      if (typeof what === 'string') {
        const nonce = openNonce(what);
        if (nonce !== undefined) ledger.endNonce(nonce.number);
        else await endToken(({ text }) => text === what, 'of this text');
      } else if ('nonce' in what) await endNonce(what.nonce);
      else await endToken(({ number }) => number === what.token, String(what.token));
      changed();
    },
    async addUser(user: User) {
      const valid = validUser(user, 'addUser');
      await store.putUser(valid);
      ids.add(valid.id);
      common.recording?.ledger.hide(valid);
      changed();
    },
    /** The user cannot log in any more; tokens live on until they end. */
    async removeUser(id: number) {
      if (!ids.has(id)) throw new NotThere('removeUser', `there is no user ${String(id)}; ${there()}`);
      await store.dropUser(id);
      ids.delete(id);
      changed();
    },
    /** The next exchange that fits, or with `after`, the first one after it. Throws when none comes in time; the default is five seconds. */
    async waitFor({ timeoutMs = patienceMs, ...filter }: ExchangeFilter & { readonly timeoutMs?: number } = {}) {
      checkOptions({ ...filter, timeoutMs }, { ...filterChecks, timeoutMs: allow.whole(0, 2 ** 31 - 1) });
      const recording = recordingOf(common);
      const found = await recording.next(filter, AbortSignal.timeout(timeoutMs));
      if (found !== undefined) return found;
      const last = recording.list({ after: recording.last - 3 }).map(({ method, target, status }) => `${method} ${target} ${status}`);
      throw new Error(`no exchange fits ${JSON.stringify(filter)} within ${timeoutMs} ms; the last were ${last.join(', ') || 'none'}`);
    },
    /** The exchanges from now on, or after `after`, as they happen, until the signal. */
    async *exchanges({ after, until = new AbortController().signal }: { readonly after?: number; readonly until?: AbortSignal } = {}) {
      const recording = recordingOf(common);
      let last = after ?? recording.last;
      for (;;) {
        const next = await recording.next({ after: last }, until);
        if (next === undefined) return;
        last = next.number;
        yield next;
      }
    },
    async state(): Promise<ServerState> {
      const nowMs = clock.now();
      const { last = 0, first = 1 } = common.recording ?? {};
      return {
        now: new Date(nowMs).toISOString(),
        nowMs,
        clock: isManual(clock) ? 'manual' : 'system',
        url: bases.own().url,
        collections: settings.collections,
        users: [...ids],
        tokens: livingTokens().map(({ number, record }) => ({ number, ...record })),
        nonces: (await common.recording?.openNonces()) ?? [],
        faults: faults.on,
        variants: variants.on,
        troubles: troubles.on,
        exchanges: { last, kept: Math.max(0, last - first + 1) },
      };
    },
    /** As after the start: the first users, no tokens, no exchanges, no troubles, the first faults and variants; nonces issued before are dead. The clock stays. */
    async reset() {
      const isHolding = troubles.on.some(({ held }) => held > 0);
      troubles.clear();
      if (isHolding) await setImmediate(); // what was held back is answered, and noted, before all is forgotten
      await store.reset();
      ids.clear();
      for (const { id } of settings.users) ids.add(id);
      common.recording?.clear();
      switchboard.reset();
      common.recording?.tell('reset');
    },
  };
}
