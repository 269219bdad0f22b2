import { type ClockControl, startClockControl } from './clock-control.js';
import { type Control, startControl } from './control/index.js';
import { readOptions, readStartOptions, type StartOptions } from './options.js';
import { isManual } from './parts/index.js';
import type { RunningServer } from './running-server.js';
import { assemble, type Cast, makeCast, makeCommon } from './server.js';
import { recordingOf, steer } from './steering.js';
import { applyFixtures, chosenOf, completing, type ServerFixtures, Switchboard } from './switching/index.js';

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
  let control: Control | undefined;
  const switchboard = new Switchboard({
    fixtures,
    started,
    first,
    make(chosen, on): Cast {
      const cast = makeCast(readOptions(applyFixtures(chosen, { ...base, clock })), common, on);
      cast.bases.listensAt(origin);
      return cast;
    },
    tokens: (after) => common.recording?.ledger.tokens(after) ?? [],
    broughtBy: common.broughtBy,
    matchable: { withBasePath: completing(settings), ids: common.ids },
    changed: () => control?.changed('change'),
  });
  const server = assemble(settings, common, first, (req) => switchboard.choose(req));
  try {
    await server.start();
  } catch (error) {
    await common.store.close();
    throw error;
  }
  const origin = `http://${reachable(settings.host)}:${server.info.port}`;
  bases.listensAt(origin);

  let clockControl: ClockControl | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    switchboard.troubles.clear(); // nobody waits for what is held back
    closing ??= Promise.all([clockControl?.close(), control?.close(), server.stop({ timeout: settings.limits.closeMs })]).then(() => {});
    return closing;
  };
  const steering = steer(settings, first, common, switchboard, (what) => control?.changed(what));
  try {
    if (settings.clockControl && isManual(first.parts.clock)) clockControl = await startClockControl(first.parts.clock);
    if (wanted.control) control = await startControl(steering, recordingOf(common), { spec, url: bases.own.url, page: wanted.page });
  } catch (error) {
    await close();
    throw error;
  }

  const running = {
    url: bases.own.url,
    clockUrl: clockControl?.url ?? null,
    control: control === undefined ? null : { url: control.url, token: control.token },
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
