import { startClockControl } from './clock-control.js';
import type { SwitchedOn } from './contract.js';
import { startControl } from './control/index.js';
import { readOptions, readStartOptions, type StartOptions } from './options.js';
import { isManual } from './parts/index.js';
import { assemble, type Cast, makeCast, makeCommon } from './server.js';
import { recordingOf, type Steering, steer } from './steering.js';
import { applyFixtures, chosenOf, type ServerFixture, type ServerFixtures, Switchboard, useChecker } from './switching/index.js';

/** A reference server that listens. */
export type RunningServer = Awaited<ReturnType<typeof startReferenceServer>>;

/** Starts a reference server on a free port, or as the options say. It can have those faults and variants that it is given here. */
export async function startReferenceServer(options: StartOptions = {}, fixtures: ServerFixtures = { faults: [], variants: [] }) {
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
    /** The base URL, without a slash at the end. */
    url: bases.own().url,
    /** Where the clock contract is spoken; null when the clock cannot be moved. */
    clockUrl: clockControl?.url ?? null,
    /** Where it is controlled over HTTP, and the token to show there; null without `control`. */
    control: control?.access ?? null,
    /** The address of the live page, with the token in it; null without `page`. */
    page: control?.page ?? null,
    /** An address of it that is good for one visit, to be given where others can read it. */
    pageOnce: () => control?.pageOnce() ?? null,
    hapi: server,
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.defineProperties(steering, Object.getOwnPropertyDescriptors(running)) as Steering & Readonly<typeof running>;
}

/** An address that clients on this machine can use, where the server listens on all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
