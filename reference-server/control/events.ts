import type { ServerResponse } from 'node:http';
import { isManual } from '../parts/index.js';
import type { Controlled } from './route.js';

const batch = 100;
const breathMs = 15_000;
const lookAtClockMs = 250;

/**
 * Server-sent events for one who watches. Nothing is queued: what is sent next is read from the ring when the connection takes more, so
 * that a slow reader costs no memory and is told how much it missed.
 */
export class Watcher {
  readonly #res: ServerResponse;
  readonly #controlled: Controlled;
  readonly #stop: (() => void)[] = [];
  readonly #due = new Set<'change' | 'reset'>();
  #sent: number;
  #atMs: number;
  #isBusy = false;

  constructor(res: ServerResponse, controlled: Controlled, after: number | undefined) {
    const { recorder } = controlled.recording;
    const { clock } = controlled.server;
    this.#res = res;
    this.#controlled = controlled;
    this.#sent = after ?? recorder.first - 1;
    this.#atMs = clock.now();
    this.#stop.push(recorder.listen(() => this.#wake()));
    const breath = setInterval(() => res.write(':\n\n'), breathMs);
    this.#stop.push(() => clearInterval(breath));
    // A clock that was given to the server may be moved by whoever has it.
    const look = isManual(clock) ? setInterval(() => clock.now() !== this.#atMs && this.tell('change'), lookAtClockMs) : undefined;
    this.#stop.push(() => clearInterval(look));
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    res.write(':\n\n');
    this.#wake();
  }

  tell(what: 'change' | 'reset'): void {
    this.#due.add(what);
    this.#atMs = this.#controlled.server.clock.now();
    this.#wake();
  }

  end(): void {
    for (const stop of this.#stop.splice(0)) stop();
  }

  /** Whatever happens in one turn is sent together. */
  #wake(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => this.#send().catch(() => this.#res.destroy()));
  }

  async #send(): Promise<void> {
    const text = await this.#next();
    if (text === '' || this.#res.destroyed) {
      this.#isBusy = false;
      return;
    }
    const goOn = () => this.#send().catch(() => this.#res.destroy());
    if (this.#res.write(text)) setImmediate(goOn);
    else this.#res.once('drain', goOn);
  }

  async #next(): Promise<string> {
    const { recording, server } = this.#controlled;
    const events: string[] = [];
    if (this.#due.delete('reset')) events.push(event('reset', {}));
    const kept = recording.recorder.after(this.#sent, batch);
    const missed = (kept[0]?.number ?? this.#sent + 1) - this.#sent - 1;
    if (missed > 0) events.push(event('missed', { missed }));
    for (const noted of kept) events.push(event('exchange', recording.describe(noted), noted.number));
    this.#sent = kept.at(-1)?.number ?? recording.recorder.last;
    if (this.#due.delete('change') || events[0]?.startsWith('event: reset')) events.push(event('change', await server.state()));
    return events.join('');
  }
}

function event(name: string, data: object, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
