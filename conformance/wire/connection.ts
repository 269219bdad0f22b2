import type { Socket } from 'node:net';
import type { Endpoint } from './endpoint.js';
import type { Answer, ConnectionUse, RequestPlan, WireProblem } from './exchange.js';
import { describeSocketError, type Phase } from './fault.js';
import { AnswerReader } from './reader.js';

/** What came of one request on one connection. */
export interface Outcome {
  readonly answer: Answer | undefined;
  readonly problem: WireProblem | undefined;
  /** At least one octet of an answer came. */
  readonly started: boolean;
  readonly connection?: ConnectionUse;
  readonly ahead?: Outcome;
}

export interface Dispatch {
  readonly octets: Buffer;
  readonly request: RequestPlan;
  readonly timeoutMs: number;
  /** Nothing follows on this connection: look for surplus octets until the target closes it. */
  readonly last: boolean;
  /**
   * Nothing may follow it: plain servers that refuse a body leave it on the connection, as if another request came, and plain proxies say of
   * HTTP/1.0 that the connection stays open when it does not.
   */
  readonly spoils: boolean;
  /** The request that stands before it in the same octets. */
  readonly ahead?: RequestPlan;
}

/** After this the first piece of a request has arrived by itself. */
const pieceMs = 20;

interface Pending {
  readonly dispatch: Dispatch;
  readonly reader: AnswerReader;
  readonly ahead: AnswerReader | undefined;
  readonly uses: { readonly ahead: ConnectionUse | undefined; readonly own: ConnectionUse };
  readonly resolve: (outcome: Outcome) => void;
  readonly timer: NodeJS.Timeout;
  lingering: NodeJS.Timeout | undefined;
  lastOctetAtMs: number;
  /** When the timer is due, the first time. */
  dueMs: number;
}

/** How long to look for surplus octets where a connection should close and does not. */
const lingerMs = 100;
/** So many of the requests before one are kept to be shown. */
const keptRequests = 3;

/** One connection to the target, one exchange at a time. */
export class Connection {
  /** Carried an exchange before, so that the target may have closed it unseen. */
  used = false;
  usable = true;
  sawBodyBehindHead = false;
  private carried = 0;
  private latest: readonly RequestPlan[] = [];
  private answeredHead = false;
  private phase: Phase = 'connecting';
  private pending: Pending | undefined;
  private readonly socket: Socket;

  constructor(
    private readonly number: number,
    private readonly endpoint: Endpoint,
    private readonly onGone: (connection: Connection) => void,
  ) {
    this.socket = endpoint.open();
    this.socket.on('connect', () => {
      this.phase = endpoint.secure ? 'securing' : 'exchanging';
    });
    this.socket.on('secureConnect', () => {
      this.phase = 'exchanging';
    });
    this.socket.on('data', (chunk: Buffer) => this.received(chunk));
    this.socket.on('end', () => this.ended());
    this.socket.on('error', (error) => this.failed(describeSocketError(error, this.phase, endpoint.host)));
    this.socket.on('close', () => this.ended());
  }

  exchange(dispatch: Dispatch): Promise<Outcome> {
    return new Promise((resolve) => {
      const { request } = dispatch;
      const reader = new AnswerReader(request.method);
      const ahead = dispatch.ahead && new AnswerReader(dispatch.ahead.method, reader);
      const uses = { ahead: dispatch.ahead && this.carry(dispatch.ahead), own: this.carry(request) };
      const timer = setTimeout(() => this.lookOnceMore(pending), dispatch.timeoutMs);
      const nowMs = performance.now();
      const times = { lingering: undefined, lastOctetAtMs: nowMs, dueMs: nowMs + dispatch.timeoutMs };
      const pending: Pending = { dispatch, reader, ahead, uses, resolve, timer, ...times };
      this.pending = pending;
      this.write(dispatch);
    });
  }

  private write({ octets, request }: Dispatch): void {
    if (request.inPieces !== true) {
      this.socket.write(octets);
      return;
    }
    const half = Math.floor(octets.length / 2);
    this.socket.setNoDelay(true);
    this.socket.write(octets.subarray(0, half), () => setTimeout(() => this.socket.write(octets.subarray(half)), pieceMs));
  }

  /** Notes a request, and gives what was there before it. */
  private carry(request: RequestPlan): ConnectionUse {
    const use = { number: this.number, earlier: this.carried, latest: this.latest };
    this.carried += 1;
    this.latest = [...this.latest.slice(1 - keptRequests), request];
    return use;
  }

  /** Ends the connection at once; an exchange under way ends with the problem given. */
  destroy(problem?: WireProblem): void {
    this.gone();
    if (this.pending !== undefined) this.finish(problem);
    this.socket.destroy();
  }

  private received(chunk: Buffer): void {
    const { pending } = this;
    if (pending === undefined) {
      // Octets that nobody asked for: they would be taken for the next answer.
      this.sawBodyBehindHead = this.answeredHead;
      this.destroy();
      return;
    }
    pending.lastOctetAtMs = performance.now();
    (pending.ahead ?? pending.reader).push(chunk);
    if (this.answeredHead && pending.reader.problem?.code === 'malformed' && pending.reader.answer === undefined) {
      this.sawBodyBehindHead = true;
      pending.reader.problem = { code: 'malformed', message: 'A body came behind the answer to HEAD before it on the connection.' };
    }
    if (pending.ahead?.problem !== undefined) this.destroy(pending.ahead.problem);
    else if (pending.reader.settled) this.settled(pending);
    else if (pending.reader.doubtful) this.linger(pending);
  }

  private settled(pending: Pending): void {
    if (pending.reader.problem !== undefined) {
      this.destroy();
    } else if (pending.dispatch.last || !pending.reader.reusable) {
      this.linger(pending);
    } else if (pending.dispatch.spoils) {
      this.destroy();
    } else {
      this.used = true;
      this.answeredHead = pending.dispatch.request.method === 'HEAD';
      this.finish();
    }
  }

  private linger(pending: Pending): void {
    pending.lingering ??= setTimeout(() => {
      pending.reader.leftOpen = true;
      this.destroy();
    }, lingerMs);
  }

  private ended(): void {
    this.pending?.ahead?.end();
    this.pending?.reader.end();
    this.destroy();
  }

  private failed(problem: WireProblem): void {
    this.destroy(this.pending?.reader.settled === true ? undefined : problem);
  }

  /** Where this process itself was busy, an answer may have come that nobody has read yet, or wait to be sent: that is not the target's delay. */
  private lookOnceMore(pending: Pending): void {
    const nowMs = performance.now();
    const { timeoutMs } = pending.dispatch;
    if (nowMs - pending.dueMs > timeoutMs / 10) {
      // Once, so that a run keeps its limits.
      pending.dueMs = Number.POSITIVE_INFINITY;
      pending.timer.refresh();
      return;
    }
    setImmediate(() => {
      if (this.pending === pending) this.timedOut(pending);
    });
  }

  private timedOut({ dispatch, reader, lastOctetAtMs }: Pending): void {
    const { missing } = reader;
    const silent = performance.now() - lastOctetAtMs >= dispatch.timeoutMs / 2;
    const within = `within ${dispatch.timeoutMs} ms.`;
    if (reader.settled) this.destroy();
    else if (missing !== undefined && silent) this.destroy({ code: 'length', message: `${missing} ${within}` });
    else this.destroy({ code: 'timeout', message: `${this.lacking(reader)} ${within}` });
  }

  private lacking(reader: AnswerReader): string {
    if (this.phase !== 'exchanging') return `There was no connection to ${this.endpoint.host}`;
    return reader.started ? 'The answer was not whole' : 'There was no answer';
  }

  private finish(problem?: WireProblem): void {
    const { reader, ahead, uses, resolve, timer, lingering } = this.pending as Pending;
    this.pending = undefined;
    clearTimeout(timer);
    clearTimeout(lingering);
    const outcomeOf = ({ answer, started, problem: own = problem }: AnswerReader, connection: ConnectionUse | undefined): Outcome => ({
      answer,
      problem: own,
      started,
      ...(connection && { connection }),
    });
    resolve({ ...outcomeOf(reader, uses.own), ...(ahead === undefined ? {} : { ahead: outcomeOf(ahead, uses.ahead) }) });
  }

  private gone(): void {
    if (!this.usable) return;
    this.usable = false;
    this.onGone(this);
  }
}
