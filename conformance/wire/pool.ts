import { Connection } from './connection.js';
import type { Endpoint } from './endpoint.js';
import type { WireProblem } from './exchange.js';

/** Connections to the target, never more than the limit, used again where both sides keep them open. */
export class Pool {
  /** The target has sent a body behind an answer to HEAD, where the next answer should begin. */
  sawBodyBehindHead = false;
  private readonly all = new Set<Connection>();
  private readonly idle: Connection[] = [];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;
  private closed = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly maxConnections: number,
  ) {}

  /** A turn on some connection; undefined when the pool was closed meanwhile. Give it back with `release`. */
  async acquire(fresh: boolean): Promise<Connection | undefined> {
    if (this.busy >= this.maxConnections && !this.closed) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.busy += 1;
    if (this.closed) return undefined;
    const kept = fresh ? undefined : this.idle.pop();
    return kept ?? this.open();
  }

  release(connection: Connection | undefined): void {
    if (connection?.usable === true) this.idle.push(connection);
    const next = this.waiting.shift();
    if (next === undefined) this.busy -= 1;
    else next();
  }

  close(problem: WireProblem): void {
    this.closed = true;
    for (const connection of [...this.all]) connection.destroy(problem);
    for (const next of this.waiting.splice(0)) next();
  }

  /** A connection beyond the pooled ones, in place of the one that turned out to be closed. */
  open(): Connection {
    if (this.all.size >= this.maxConnections) this.idle.shift()?.destroy();
    const connection = new Connection(this.endpoint, (gone) => this.forget(gone));
    this.all.add(connection);
    return connection;
  }

  private forget(connection: Connection): void {
    this.all.delete(connection);
    this.sawBodyBehindHead ||= connection.sawBodyBehindHead;
    const place = this.idle.indexOf(connection);
    if (place >= 0) this.idle.splice(place, 1);
  }
}
