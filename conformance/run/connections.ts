import type { Subject } from '../subject/index.js';
import { lateAfterMs } from '../wire/index.js';

/**
 * Asks on a second connection while a first one is kept open. Many plain servers attend to one connection at a time; sixteen at once
 * would be answered late or never, and the target be accused of what the judge has brought about.
 */
export async function probeConnections(target: Subject): Promise<void> {
  const plan = { method: 'GET', target: `${target.basePath}/${target.collections[0]}`, headers: [] };
  const first = await target.client.send(plan);
  if (first.answer === undefined || first.problem !== undefined) return;
  const second = await target.client.send({ ...plan, freshConnection: true });
  if (second.problem?.code === 'aborted') return;
  const late = second.durationMs > lateAfterMs(first.durationMs);
  if (second.answer !== undefined && !late) return;
  target.facts.oneConnection =
    'The server handles one connection at a time: a second one got no answer while the first was open. So every request was sent on a new connection, one after another.';
  target.client.useOneConnection();
}
