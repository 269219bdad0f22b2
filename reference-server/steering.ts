import { setImmediate } from 'node:timers/promises';
import { allow, checkOptions } from '../spec/index.js';
import { NotThere, OptionError } from './errors.js';
import type { Settings } from './options.js';
import { isManual } from './parts/index.js';
import { filterChecks, type KnownToken, type Recording } from './recording/index.js';
import type { Steering } from './running-server.js';
import type { Cast, Common } from './server.js';
import type { Switchboard } from './switching/index.js';
import { validUser } from './users.js';

/** Is called after something was changed that no exchange tells of. */
type Changed = (what: 'change' | 'reset') => void;

const patienceMs = 5000;
const shownTokens = 200;

/** What is recorded; a server that records nothing cannot be asked. */
export function recordingOf({ recording }: Common): Recording {
  if (recording !== undefined) return recording;
  throw new OptionError('recordLast', '0 is not allowed for this; a server that is to be asked what happened keeps at least 1 exchange');
}

/** What a test may ask and change, on what the server is made of. */
export function steer(settings: Settings, { parts, bases }: Cast, common: Common, switchboard: Switchboard, changed: Changed): Steering {
  const { store, ids } = common;
  const { clock } = parts;
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
    clock,
    collections: settings.collections,
    get users() {
      return [...ids];
    },
    get recorded() {
      return common.recording?.list() ?? [];
    },
    faults: switchboard.faults,
    variants: switchboard.variants,
    troubles: switchboard.troubles,
    async issueToken(user = ids.values().next().value) {
      if (user === undefined || !ids.has(user)) throw new NotThere('issueToken', `there is no user ${String(user)}; ${there()}`);
      const token = await parts.tokens.issue(user, parts);
      changed('change');
      return token;
    },
    async expire(what) {
      const { ledger, openNonce } = recordingOf(common);
      if (typeof what === 'string') {
        const nonce = openNonce(what);
        if (nonce !== undefined) ledger.endNonce(nonce.number);
        else await endToken(({ text }) => text === what, 'of this text');
      } else if ('nonce' in what) await endNonce(what.nonce);
      else await endToken(({ number }) => number === what.token, String(what.token));
      changed('change');
    },
    async addUser(user) {
      const valid = validUser(user, 'addUser');
      await store.putUser(valid);
      ids.add(valid.id);
      changed('change');
    },
    async removeUser(id) {
      if (!ids.has(id)) throw new NotThere('removeUser', `there is no user ${String(id)}; ${there()}`);
      await store.dropUser(id);
      ids.delete(id);
      changed('change');
    },
    async waitFor({ timeoutMs = patienceMs, ...filter } = {}) {
      checkOptions({ ...filter, timeoutMs }, { ...filterChecks, timeoutMs: allow.whole(0, 2 ** 31 - 1) });
      const recording = recordingOf(common);
      const found = await recording.next(filter, AbortSignal.timeout(timeoutMs));
      if (found !== undefined) return found;
      const last = recording
        .list({ after: recording.recorder.last - 3 })
        .map(({ method, target, status }) => `${method} ${target} ${status}`);
      throw new Error(`no exchange fits ${JSON.stringify(filter)} within ${timeoutMs} ms; the last were ${last.join(', ') || 'none'}`);
    },
    async *exchanges({ after, until = new AbortController().signal } = {}) {
      const recording = recordingOf(common);
      let last = after ?? recording.recorder.last;
      for (;;) {
        const next = await recording.next({ after: last }, until);
        if (next === undefined) return;
        last = next.number;
        yield next;
      }
    },
    async state() {
      const nowMs = clock.now();
      const { last = 0, first = 1 } = common.recording?.recorder ?? {};
      return {
        now: new Date(nowMs).toISOString(),
        nowMs,
        clock: isManual(clock) ? 'manual' : 'system',
        url: bases.own.url,
        collections: settings.collections,
        users: [...ids],
        tokens: livingTokens().map(({ number, record }) => ({ number, ...record })),
        nonces: (await common.recording?.openNonces()) ?? [],
        faults: switchboard.faults.on,
        variants: switchboard.variants.on,
        troubles: switchboard.troubles.on,
        exchanges: { last, kept: Math.max(0, last - first + 1) },
      };
    },
    async reset() {
      const { troubles } = switchboard;
      const isHolding = troubles.on.some(({ held }) => held > 0);
      troubles.clear();
      if (isHolding) await setImmediate(); // what was held back is answered, and noted, before all is forgotten
      await store.reset();
      ids.clear();
      for (const { id } of settings.users) ids.add(id);
      common.recording?.clear();
      switchboard.reset();
      changed('reset');
    },
  };
}
