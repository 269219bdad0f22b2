import { allow, checkOptions } from '../spec/index.js';
import { NotThere } from './errors.js';
import type { Settings } from './options.js';
import { filterChecks, type KnownToken } from './recording/index.js';
import type { Steering } from './running-server.js';
import type { Assembly, Common } from './server.js';
import { nonceWith, recordingOf, stateOf, tokenWith } from './state.js';
import type { Switchboard } from './switching/index.js';
import { validUser } from './users.js';

/** Is called after something was changed that no exchange tells of. */
type Changed = (what: 'change' | 'reset') => void;

const patienceMs = 5000;

/** What a test may ask and change, on what the server is made of. */
export function steer(
  settings: Settings,
  { parts, bases, teach }: Assembly,
  common: Common,
  switchboard: Switchboard,
  changed: Changed,
): Steering {
  const { store, ids } = common;
  const { clock } = parts;
  const there = () => `there are ${[...ids].join(', ') || 'none'}`;

  const endToken = async ({ text, record }: KnownToken) => {
    await store.putToken(text, { ...record, expiresAtMs: Math.min(record.expiresAtMs, clock.now()) }, clock.now());
    const ended = recordingOf(common).ledger.token(text) as KnownToken;
    teach(ended);
    switchboard.teach(ended);
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
    async issueToken(user = ids.values().next().value) {
      if (user === undefined || !ids.has(user)) throw new NotThere('issueToken', `there is no user ${String(user)}; ${there()}`);
      const token = await parts.tokens.issue(user, parts);
      changed('change');
      return token;
    },
    async expire(what) {
      const { ledger, nonces } = recordingOf(common);
      if (typeof what === 'string') {
        const nonce = nonces.read(what);
        if (nonce !== undefined) ledger.endNonce(nonce.number);
        else await endToken(tokenWith(({ text }) => text === what, 'of this text', common, clock.now()));
      } else if ('nonce' in what) ledger.endNonce((await nonceWith(what.nonce, common, clock.now())).number);
      else await endToken(tokenWith(({ number }) => number === what.token, String(what.token), common, clock.now()));
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
    state: () => stateOf(settings, common, switchboard, bases.own.url),
    async reset() {
      await store.reset();
      ids.clear();
      for (const { id } of settings.users) ids.add(id);
      common.recording?.clear();
      switchboard.reset();
      changed('reset');
    },
  };
}
