import { setImmediate } from 'node:timers/promises';
import { allow, checkOptions } from '../spec/index.js';
import { startClockControl } from './clock-control.js';
import type { SwitchedOn } from './contract.js';
import { startControl } from './control/index.js';
import { NotThere, OptionError } from './errors.js';
import { readOptions, readStartOptions, type Settings, type StartOptions } from './options.js';
import { isManual } from './parts/index.js';
import { filterChecks, type KnownToken, type Recording } from './recording/index.js';
import type { RunningServer, Steering } from './running-server.js';
import { assemble, type Cast, type Common, makeCast, makeCommon } from './server.js';
import { applyFixtures, chosenOf, type ServerFixture, type ServerFixtures, Switchboard, useChecker } from './switching/index.js';
import { validUser } from './users.js';

/** Starts a reference server on a free port, or as the options say. It can have those faults and variants that it is given here. */
export async function startReferenceServer(
  options: StartOptions = {},
  fixtures: ServerFixtures = { faults: [], variants: [] },
): Promise<RunningServer> {
  const { base, faults, variants, ...wanted } = readStartOptions(options);
  const started = { faults, variants };
  const settings = readOptions(applyFixtures(chosenOf(started, fixtures), base));
  const { clock, spec } = settings;
  const common = makeCommon(settings);
  const first = makeCast(settings, common, started);
  const { bases } = first;
  const make = (chosen: readonly ServerFixture[], on: SwitchedOn): Cast => {
    const cast = makeCast(readOptions(applyFixtures(chosen, { ...base, clock })), common, on);
    cast.bases.listensAt(origin);
    return cast;
  };
  const switchboard = new Switchboard(common, first, make, fixtures, useChecker(settings, common.ids));
  const server = assemble(settings, common, first, (req) => switchboard.choose(req));
  try {
    await server.start();
  } catch (error) {
    await common.store.close();
    throw error;
  }
  const origin = `http://${reachable(settings.host)}:${server.info.port}`;
  bases.listensAt(origin);

  let clockControl: Awaited<ReturnType<typeof startClockControl>> | undefined;
  let control: Awaited<ReturnType<typeof startControl>> | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    switchboard.troubles.clear(); // nobody waits for what is held back
    closing ??= Promise.all([clockControl?.close(), control?.close(), server.stop({ timeout: settings.limits.closeMs })]).then(() => {});
    return closing;
  };
  const steering = steer(settings, first, common, switchboard);
  try {
    if (settings.clockControl && isManual(first.parts.clock)) clockControl = await startClockControl(first.parts.clock);
    if (wanted.control) control = await startControl(steering, recordingOf(common), { spec, url: bases.own().url, page: wanted.page });
  } catch (error) {
    await close();
    throw error;
  }

  const running = {
    url: bases.own().url,
    clockUrl: clockControl?.url ?? null,
    control: control?.access ?? null,
    page: control?.page ?? null,
    pageOnce: () => control?.pageOnce() ?? null,
    hapi: server,
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.defineProperties(steering, Object.getOwnPropertyDescriptors(running)) as RunningServer;
}

/** An address that clients on this machine can use, where the server listens on all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

const patienceMs = 5000;
const shownTokens = 200;

/** What is recorded; a server that records nothing cannot be asked. */
function recordingOf({ recording }: Common): Recording {
  if (recording !== undefined) return recording;
  throw new OptionError('recordLast', '0 is not allowed for this; a server that is to be asked what happened keeps at least 1 exchange');
}

/** What a test may ask and change, on what the server is made of. */
function steer(settings: Settings, { parts, bases }: Cast, common: Common, switchboard: Switchboard): Steering {
  const { store, ids } = common;
  const { clock } = parts;
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
      changed();
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
      changed();
    },
    async addUser(user) {
      const valid = validUser(user, 'addUser');
      await store.putUser(valid);
      ids.add(valid.id);
      common.recording?.ledger.hide(valid);
      changed();
    },
    async removeUser(id) {
      if (!ids.has(id)) throw new NotThere('removeUser', `there is no user ${String(id)}; ${there()}`);
      await store.dropUser(id);
      ids.delete(id);
      changed();
    },
    async waitFor({ timeoutMs = patienceMs, ...filter } = {}) {
      checkOptions({ ...filter, timeoutMs }, { ...filterChecks, timeoutMs: allow.whole(0, 2 ** 31 - 1) });
      const recording = recordingOf(common);
      const found = await recording.next(filter, AbortSignal.timeout(timeoutMs));
      if (found !== undefined) return found;
      const last = recording.list({ after: recording.last - 3 }).map(({ method, target, status }) => `${method} ${target} ${status}`);
      throw new Error(`no exchange fits ${JSON.stringify(filter)} within ${timeoutMs} ms; the last were ${last.join(', ') || 'none'}`);
    },
    async *exchanges({ after, until = new AbortController().signal } = {}) {
      const recording = recordingOf(common);
      let last = after ?? recording.last;
      for (;;) {
        const next = await recording.next({ after: last }, until);
        if (next === undefined) return;
        last = next.number;
        yield next;
      }
    },
    async state() {
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
      common.recording?.tell('reset');
    },
  };
}
