import { randomBytes, randomInt } from 'node:crypto';
import type { ManualClock, ReferenceServerOptions } from '../../../reference-server/index.js';
import { spec } from '../../../spec/index.js';
import { Log } from '../traffic/index.js';
import { openElsewhere } from './elsewhere.js';
import { forwardTo } from './forward.js';
import { type Listener, listen } from './listener.js';
import { type Place, type ServiceState, type Site, servedIn } from './state.js';

/** A service in a given state, with all that goes on between it and the client under observation. */
export interface Stage {
  readonly site: Site;
  /** What the client is told. */
  readonly user: { readonly id: number; readonly paraphrase: string };
  readonly log: Log;
  close(): Promise<void>;
}

/** A plain word that no client can know before. */
const word = () => `${String.fromCharCode(randomInt(97, 123))}${randomBytes(5).toString('hex')}`;

/** Starts a service in this state. Ports, paths, names, user and paraphrase are other ones each time. */
export async function openStage(state: ServiceState, onOverrun: () => void): Promise<Stage> {
  const [{ defaultCollections, startReferenceServer }, { applyFixtures, variants }] = await Promise.all([
    import('../../../reference-server/index.js'),
    import('../../../fixtures/index.js'),
  ]);
  const chosen = (state.variants ?? []).map((id) => {
    const found = variants.find((each) => each.id === id);
    if (found === undefined) throw new Error(`a scenario names the variant ${id}, which there is not`);
    return found;
  });
  const known = { id: randomInt(2, 1_000_000), paraphrase: state.paraphrase ?? word() + word() };
  const base: ReferenceServerOptions = {
    clock: 'manual',
    clockControl: false,
    recordLast: 0,
    basePath: `/${word()}`,
    collections: state.usualCollections === true ? defaultCollections : [word(), word()],
    users: [known],
  };
  const options = applyFixtures(chosen, base);
  const server = await startReferenceServer(options);
  // What a client makes of other letters is told by a scenario of its own.
  const { id, paraphrase } = options.users?.findLast((user) => /^[ -~]*$/.test(user.paraphrase)) ?? known;
  const log = new Log(state.requestLimit ?? defaultLimit);
  const forwarder = forwardTo(new URL(server.url));
  const listeners: Listener[] = [];
  try {
    const elsewhere = await openElsewhere(log, state.elsewhere ?? 'serves', onOverrun);
    listeners.push(elsewhere);
    let served = 0;
    const gateway = await listen({
      at: 'service',
      log,
      onOverrun,
      async answer(received) {
        const done = state.intercept?.(received, site);
        const came = done !== undefined && 'status' in done ? done : await forwarder.send(done ?? received);
        const answer = state.change?.(came, received) ?? came;
        if (servedIn(received, answer)) {
          served += 1;
          // Before the answer goes out, so that the next request comes after it.
          if (state.expireAfterServed?.includes(served) === true) expire();
        }
        return answer;
      },
    });
    listeners.push(gateway);
    const expire = () => {
      const ms = spec.protocol.token.lifetimeMs + 1000;
      (server.clock as ManualClock).advance({ ms });
      log.move(ms);
    };
    const path = new URL(server.url).pathname.replace(/\/$/, '');
    const url = `${gateway.origin}${path}`;
    const [first = '', second = first] = server.collections;
    const places: Readonly<Record<Place, string>> = {
      first: `${url}/${first}`,
      second: `${url}/${second}`,
      vocabulary: `${url}${spec.protocol.link.path}`,
      missing: `${url}/${word()}`,
      elsewhere: `${elsewhere.origin}/${word()}`,
    };
    const site: Site = { url, origin: gateway.origin, places };
    // The client of a scenario about wrong credentials is told another paraphrase than the service knows.
    const told = state.wrongParaphrase === true ? word() + word() : paraphrase;
    return { site, user: { id, paraphrase: told }, log, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    forwarder.close();
    await Promise.all([...listeners.map((each) => each.close()), server.close()]);
  }
}

/** A client that sends more in one scenario will not end by itself. */
const defaultLimit = 60;
