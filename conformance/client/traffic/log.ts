import type { Answer, Chain, ClockMove, Exchange, HeaderLine, RequestPlan } from '../../wire/index.js';

/** A request as it arrived, whole. */
export interface Received {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** A request that came, and how it was answered. The counts put arrivals and answers into one order. */
export interface LoggedRequest {
  readonly at: 'service' | 'elsewhere';
  readonly origin: string;
  readonly received: Received;
  readonly arrived: number;
  readonly arrivedAtMs: number;
  /** How far the service's clock had been moved when it arrived. */
  readonly clockMs: number;
  answered?: number;
  answeredAtMs?: number;
  answer?: Answer;
  /** Both as one, when it was answered: once for each, so that whoever meets it again knows it. */
  exchange?: Exchange;
}

/** All requests of one scenario, or of the time in which a client was watched. */
export class Log {
  readonly requests: LoggedRequest[] = [];
  /** More requests came than a client in its right mind sends; the rest is not answered. */
  overrun = false;
  private readonly moves: (ClockMove & { readonly at: number })[] = [];
  private count = 0;
  private clockMs = 0;

  constructor(private readonly limit: number) {}

  /** Undefined when there were too many already. */
  arrive(at: LoggedRequest['at'], origin: string, received: Received, arrivedAtMs = performance.now()): LoggedRequest | undefined {
    if (this.requests.length >= this.limit) {
      this.overrun = true;
      return undefined;
    }
    const logged = { at, origin, received, arrived: this.count++, arrivedAtMs, clockMs: this.clockMs };
    this.requests.push(logged);
    return logged;
  }

  answer(logged: LoggedRequest | undefined, answer: Answer, answeredAtMs = performance.now()): void {
    if (logged !== undefined) Object.assign(logged, { answer, answered: this.count++, answeredAtMs });
  }

  move(advancedMs: number): void {
    this.clockMs += advancedMs;
    this.moves.push({ advancedMs, at: this.count++ });
  }

  /** The last exchanges up to this one, with the moves of the clock among them. */
  chainTo(last: LoggedRequest | undefined, most = 12): Chain {
    const end = last?.answered ?? last?.arrived ?? this.count;
    const shown = this.requests.filter(({ arrived }) => arrived <= end).slice(-most);
    const begin = shown[0]?.arrived ?? 0;
    const links = [
      ...shown.map((each) => ({ at: each.arrived, link: exchangeOf(each) })),
      ...this.moves.filter(({ at }) => at > begin && at < end).map(({ at, advancedMs }) => ({ at, link: { advancedMs } })),
    ];
    return links.sort((one, other) => one.at - other.at).map(({ link }) => link);
  }
}

/** A request as it is shown and recorded. */
export function planOf({ method, target, headers, body }: Received): RequestPlan {
  return { method, target, headers, ...(body.length === 0 ? {} : { body: body.toString('utf8') }) };
}

/** With its whole address, because a client may go to several origins. */
function exchangeOf(logged: LoggedRequest): Exchange {
  const { origin, received, arrivedAtMs, answeredAtMs = arrivedAtMs, answer } = logged;
  const request = { ...planOf(received), target: `${origin}${received.target}` };
  const made = { request, ...(answer && { answer }), sentAtMs: arrivedAtMs, durationMs: answeredAtMs - arrivedAtMs };
  if (answer !== undefined) logged.exchange ??= made;
  return logged.exchange ?? made;
}
