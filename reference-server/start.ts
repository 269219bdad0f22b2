import type { Server } from 'node:http';
import { type ClockControl, startClockControl } from './clock-control.js';
import { type Control, startControl } from './control/index.js';
import { readOptions, readStartOptions, type StartOptions } from './options.js';
import { isManual } from './parts/index.js';
import type { RunningServer } from './running-server.js';
import { assemble, makeCommon } from './server.js';
import { recordingOf } from './state.js';
import { steer } from './steering.js';
import { applyFixtures, bringing, completing, findFixture, type ServerFixtures, StandIns, Switchboard } from './switching/index.js';

/** Starts a reference server on a free port, or as the options say. It can have those faults and variants that it is given here. */
export async function startReferenceServer(
  options: StartOptions = {},
  fixtures: ServerFixtures = { faults: [], variants: [] },
): Promise<RunningServer> {
  const { base, faults, variants, ...wanted } = readStartOptions(options);
  const started = [
    ...variants.map((id) => findFixture('variant', id, fixtures.variants)),
    ...faults.map((id) => findFixture('fault', id, fixtures.faults)),
  ];
  const settings = readOptions(applyFixtures(started, base));
  const common = makeCommon(settings);
  const assembly = assemble(settings, common, { faults, variants });
  const { server, parts, store, bases } = assembly;
  const { clock } = parts;
  try {
    await server.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  const origin = `http://${reachable(settings.host)}:${server.info.port}`;
  bases.listensAt(origin);

  let clockControl: ClockControl | undefined;
  let control: Control | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= Promise.all([clockControl?.close(), control?.close(), server.stop({ timeout: settings.limits.closeMs })]).then(() => {});
    return closing;
  };
  const switchboard = new Switchboard({
    listener: server.listener as Server,
    standIns: new StandIns({ ...base, clock: settings.clock }, common, origin),
    fixtures,
    started: { faults, variants },
    broughtBy: bringing(settings.spec.protocol, common.recording?.ledger, clock.now),
    withBasePath: completing(settings),
    changed: () => control?.changed('change'),
  });
  const steering = steer(settings, assembly, common, switchboard, (what) => control?.changed(what));
  try {
    if (settings.clockControl && isManual(clock)) clockControl = await startClockControl(clock);
    if (wanted.control)
      control = await startControl(steering, recordingOf(common), { spec: settings.spec, url: bases.own.url, page: wanted.page });
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
