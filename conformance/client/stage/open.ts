import { randomBytes, randomInt } from 'node:crypto';
import type { ManualClock, ReferenceServerOptions } from '../../../reference-server/index.js';
import type { Spec } from '../../../spec/index.js';
import type { Listener } from '../../wire/index.js';
import { Log } from '../traffic/index.js';
import { answerElsewhere, asKnown, isServed, replyTo, written } from './answers.js';
import { forwardTo, listen } from './proxy.js';
import type { ServiceState, Site } from './state.js';

/** A service in a given state, with all that goes on between it and the client under observation. */
interface Stage {
  readonly site: Site;
  /** What the client is told. */
  readonly user: { readonly id: number; readonly paraphrase: string };
  readonly log: Log;
  close(): Promise<void>;
}

/** A client that sends more in one scenario will not end by itself. */
const defaultLimit = 60;

/** A plain word that no client can know before. */
const word = () => `${String.fromCharCode(randomInt(97, 123))}${randomBytes(5).toString('hex')}`;

/** Starts a service in this state. Ports, paths, names, user and paraphrase are other ones each time. */
export async function openStage(state: ServiceState, spec: Spec, onOverrun: () => void): Promise<Stage> {
  const { protocol } = spec;
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
    ...{ spec, clock: 'manual', clockControl: false, recordLast: 0, basePath: `/${word()}`, users: [known] },
    collections: state.usualCollections === true ? defaultCollections : [word(), word(), `${word()} & ü`],
  };
  const options = applyFixtures(chosen, base);
  const server = await startReferenceServer(options);
  // What a client makes of other letters is told by a scenario of its own.
  const { id, paraphrase } = options.users?.findLast((user) => /^[ -~]*$/.test(user.paraphrase)) ?? known;
  const log = new Log(state.requestLimit ?? defaultLimit);
  const forwarder = forwardTo(new URL(server.url));
  const listeners: Listener[] = [];
  const close = async () => {
    forwarder.close();
    await Promise.all([...listeners.map((each) => each.close()), server.close()]);
  };
  try {
    const elsewhere = await listen({
      ...{ at: 'elsewhere', log, onOverrun },
      answer: async () => answerElsewhere(state.elsewhere, protocol),
    });
    listeners.push(elsewhere);
    let served = 0;
    const gateway = await listen({
      ...{ at: 'service', log, onOverrun },
      async answer(received) {
        const done = state.replies === undefined ? asKnown(received, protocol) : replyTo(state.replies, received, site, protocol);
        const came = done !== undefined && 'status' in done ? done : await forwarder.send(done ?? received);
        const answer = written(state.written, came, received, protocol);
        if (isServed(received, answer, protocol)) {
          served += 1;
          // Before the answer goes out, so that the next request comes after it.
          if (state.expireAfterServed?.includes(served) === true) expire();
        }
        return answer;
      },
    });
    listeners.push(gateway);
    const expire = () => {
      const ms = protocol.token.lifetimeMs + 1000;
      (server.clock as ManualClock).advance({ ms });
      log.move(ms);
    };
    const url = `${gateway.origin}${new URL(server.url).pathname.replace(/\/$/, '')}`;
    const [first = '', second = first, odd = first] = server.collections;
    const site: Site = {
      url,
      places: {
        first: `${url}/${first}`,
        second: `${url}/${second}`,
        odd: `${url}/${encodeURIComponent(odd)}?tag=${word()}&tag=%C3%BC%26${word()}`,
        vocabulary: `${url}${protocol.link.path}`,
        missing: `${url}/${word()}`,
        elsewhere: `${elsewhere.origin}/${word()}`,
      },
    };
    // The client of a scenario about wrong credentials is told another paraphrase than the service knows.
    const told = state.wrongParaphrase === true ? word() + word() : paraphrase;
    return { site, user: { id, paraphrase: told }, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}
