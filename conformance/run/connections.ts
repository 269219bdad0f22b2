import type { Subject } from '../subject/index.js';
import { type Client, type ClientOptions, createClient, lateAfterMs } from '../wire/index.js';

export interface SwitchableClient extends Client {
  /** From now on one connection at a time, closed after each answer. */
  useOneConnection(): void;
}

/** A client that can change over to one connection at a time. */
export function switchableClient(options: ClientOptions): SwitchableClient {
  let client = createClient(options);
  let single = false;
  let earlier = { requests: 0, rateLimited: 0, depth: 0 };
  return {
    get requests() {
      return earlier.requests + client.requests;
    },
    get rateLimited() {
      return earlier.rateLimited + client.rateLimited;
    },
    get depth() {
      return earlier.depth + client.depth;
    },
    get pace() {
      return client.pace;
    },
    get served() {
      return client.served;
    },
    rest: () => client.rest(),
    close: () => client.close(),
    send: (plan) => client.send(single ? { ...plan, freshConnection: true } : plan),
    useOneConnection() {
      if (single) return;
      single = true;
      earlier = { requests: client.requests, rateLimited: client.rateLimited, depth: client.depth };
      client.close();
      client = createClient({ ...options, maxConnections: 1 });
    },
  };
}

/**
 * Asks on a second connection while a first one is kept open. Many plain servers attend to one connection at a time; sixteen at once
 * would be answered late or never, and the target be accused of what the judge has brought about.
 */
export async function probeConnections(target: Subject & Pick<SwitchableClient, 'useOneConnection'>): Promise<void> {
  const plan = { method: 'GET', target: `${target.basePath}/${target.collections[0]}`, headers: [] };
  const first = await target.client.send(plan);
  if (first.answer === undefined || first.problem !== undefined) return;
  const second = await target.client.send({ ...plan, freshConnection: true });
  if (second.problem?.code === 'aborted') return;
  const late = second.durationMs > lateAfterMs(first.durationMs);
  if (second.answer !== undefined && !late) return;
  target.facts.oneConnection =
    'The target attends to one connection at a time: a second one was not answered while the first was kept open. It was judged on one connection after another, each closed after its answer.';
  target.useOneConnection();
}
