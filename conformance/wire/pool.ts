import { Connection, type Dispatch, type Outcome } from './connection.js';
import type { Endpoint } from './endpoint.js';
import type { WireProblem } from './exchange.js';
import type { Time } from './time.js';
import { lateAfterMs, type Width } from './width.js';

/** So many answers on other connections show that the target is not slow for all. */
const several = 3;

/** Connections to the target, never more than it is given, used again where both sides keep them open. */
export class Pool {
  /** The target has sent a body behind an answer to HEAD, where the next answer should begin. */
  sawBodyBehindHead = false;
  private readonly all = new Set<Connection>();
  private readonly idle: Connection[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly waitingFirst: (() => void)[] = [];
  private busy = 0;
  private answers = 0;
  private opened = 0;
  private closed = false;

  constructor(
    private readonly endpoint: Endpoint,
    readonly width: Width,
    private readonly time: Time,
    private readonly lateMs: number | undefined,
  ) {}

  /** A turn on some connection, before others who wait where it is urgent; undefined when the pool was closed. Give it back with `release`. */
  async acquire(fresh: boolean, isUrgent: boolean): Promise<Connection | undefined> {
    const queue = isUrgent ? this.waitingFirst : this.waiting;
    if (this.busy >= this.width.now && !this.closed) await new Promise<void>((resolve) => queue.push(resolve));
    else this.busy += 1;
    if (this.closed) return undefined;
    const kept = fresh ? undefined : this.idle.pop();
    return kept ?? this.open();
  }

  /** One exchange on a connection of this pool, whose outcome says how many connections the target bears. */
  async exchange(connection: Connection, dispatch: Dispatch): Promise<Outcome> {
    const { used } = connection;
    const before = this.answers;
    const late = used ? undefined : setTimeout(() => this.leftWaiting(before), lateAfterMs(this.width.usualMs, this.lateMs));
    const beganMs = this.time.now();
    const outcome = await connection.exchange(dispatch);
    clearTimeout(late);
    if (outcome.answer === undefined) return outcome;
    this.answers += 1;
    this.width.answered(this.waiting.length + this.waitingFirst.length > 0, used ? this.time.now() - beganMs : undefined);
    this.goOn();
    return outcome;
  }

  release(connection: Connection | undefined): void {
    if (connection?.usable === true) this.idle.push(connection);
    this.narrow();
    this.busy -= 1;
    this.goOn();
  }

  /** Closes what nobody uses, for the sake of others who want to be served. */
  rest(): void {
    for (const connection of [...this.idle]) connection.destroy();
  }

  close(problem: WireProblem): void {
    this.closed = true;
    for (const connection of [...this.all]) connection.destroy(problem);
    for (const next of [...this.waitingFirst.splice(0), ...this.waiting.splice(0)]) next();
  }

  /** A connection beyond the pooled ones, in place of the one that turned out to be closed. */
  open(): Connection {
    if (this.all.size >= this.width.now) this.idle[0]?.destroy();
    this.opened += 1;
    const connection = new Connection(this.opened, this.endpoint, (gone) => this.forget(gone));
    this.all.add(connection);
    return connection;
  }

  private goOn(): void {
    while (this.busy < this.width.now) {
      const next = this.waitingFirst.shift() ?? this.waiting.shift();
      if (next === undefined) return;
      this.busy += 1;
      next();
    }
  }

  private narrow(): void {
    while (this.all.size > this.width.now && this.idle.length > 0) this.idle[0]?.destroy();
  }

  /** Many servers attend to a fixed number of connections, and to another one when one of those is closed. */
  private leftWaiting(answersBefore: number): void {
    const served = [...this.all].filter(({ used }) => used).length;
    if (served === 0 || this.answers - answersBefore < several) return;
    this.width.crowded(served);
    this.narrow();
  }

  private forget(connection: Connection): void {
    this.all.delete(connection);
    this.sawBodyBehindHead ||= connection.sawBodyBehindHead;
    const place = this.idle.indexOf(connection);
    if (place >= 0) this.idle.splice(place, 1);
  }
}
