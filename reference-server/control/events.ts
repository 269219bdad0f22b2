import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { isManual } from '../parts/index.js';
import type { Change, Recording } from '../recording/index.js';
import type { Steering } from '../steering.js';

export interface Controlled {
  readonly server: Steering;
  readonly recording: Recording;
}

const batch = 20;
const breathMs = 15_000;
const lookAtClockMs = 250;

/**
 * Server-sent events for one who watches, until the response is closed. Nothing is queued: what is sent next is read from the ring when
 * the connection takes more, so that a slow reader costs no memory and is told how much it missed.
 */
export function watch(res: ServerResponse, { recording, server }: Controlled, after: number | undefined): void {
  const { clock } = server;
  const due = new Set<Change>(['exchange']);
  let [sent, atMs] = [after ?? recording.first - 1, clock.now()];
  let wake = () => {};

  const next = async () => {
    const events: string[] = [];
    const wasReset = due.delete('reset');
    if (wasReset) events.push(event('reset', {}));
    const kept = recording.after(sent, batch);
    if (kept.length < batch) due.delete('exchange');
    const missed = (kept[0]?.number ?? sent + 1) - sent - 1;
    if (missed > 0) events.push(event('missed', { missed }));
    for (const noted of kept) events.push(event('exchange', recording.describe(noted), noted.number));
    sent = kept.at(-1)?.number ?? recording.last;
    if (due.delete('change') || wasReset) events.push(event('change', await server.state()));
    return events.join('');
  };
  const send = async () => {
    while (!res.destroyed) {
      if (due.size === 0) await new Promise<void>((resolve) => (wake = resolve));
      await setImmediate(); // whatever happens in one turn is sent together
      const text = await next();
      if (text !== '' && !res.write(text)) await once(res, 'drain');
    }
  };
  const tell = (what: Change) => {
    due.add(what);
    if (what !== 'exchange') atMs = clock.now();
    wake();
  };

  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  res.write(':\n\n');
  const stopListening = recording.listen(tell);
  // Who takes nothing for so long can come again, and say what came last.
  const breath = setInterval(() => (res.writableNeedDrain ? res.destroy() : res.write(':\n\n')), breathMs);
  // A clock that was given to the server may be moved by whoever has it.
  const look = isManual(clock) ? setInterval(() => clock.now() !== atMs && tell('change'), lookAtClockMs) : undefined;
  res.once('close', () => {
    stopListening();
    clearInterval(breath);
    clearInterval(look);
  });
  send().catch(() => res.destroy());
}

function event(name: string, data: object, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
