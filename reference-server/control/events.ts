import type { ServerResponse } from 'node:http';
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
  const due = new Set<Change>();
  let sent = after ?? recording.first - 1;
  let atMs = clock.now();
  let isBusy = false;

  const next = async () => {
    const events: string[] = [];
    const wasReset = due.delete('reset');
    if (wasReset) events.push(event('reset', {}));
    const kept = recording.after(sent, batch);
    const missed = (kept[0]?.number ?? sent + 1) - sent - 1;
    if (missed > 0) events.push(event('missed', { missed }));
    for (const noted of kept) events.push(event('exchange', recording.describe(noted), noted.number));
    sent = kept.at(-1)?.number ?? recording.last;
    if (due.delete('change') || wasReset) events.push(event('change', await server.state()));
    return events.join('');
  };
  const send = async () => {
    const text = await next();
    isBusy = text !== '' && !res.destroyed;
    if (!isBusy) return;
    if (res.write(text)) setImmediate(goOn);
    else res.once('drain', goOn);
  };
  const goOn = () => send().catch(() => res.destroy());
  /** Whatever happens in one turn is sent together. */
  const wake = () => {
    if (!isBusy) setImmediate(goOn);
    isBusy = true;
  };
  const tell = (what: Change) => {
    if (what !== 'exchange') {
      due.add(what);
      atMs = clock.now();
    }
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
  wake();
}

function event(name: string, data: object, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
