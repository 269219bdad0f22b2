import type { Answer, Chain, ClockMove, Exchange, HeaderLine } from '../../wire/index.js';

/** A request as it arrived, whole. */
export interface Received {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** A request that was heard, and how it was answered. The counts put arrivals and answers into one order. */
export interface Heard {
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
}

interface Moved extends ClockMove {
  readonly at: number;
}

/** All that was heard in one scenario, or while a client was watched. */
export class Log {
  readonly heard: Heard[] = [];
  /** More requests came than a client in its right mind sends; the rest is not answered. */
  overrun = false;
  private readonly moves: Moved[] = [];
  private count = 0;
  private clockMs = 0;

  constructor(private readonly limit: number) {}

  /** Undefined when there were too many already. */
  arrive(at: Heard['at'], origin: string, received: Received): Heard | undefined {
    if (this.heard.length >= this.limit) {
      this.overrun = true;
      return undefined;
    }
    const heard = { at, origin, received, arrived: this.count++, arrivedAtMs: performance.now(), clockMs: this.clockMs };
    this.heard.push(heard);
    return heard;
  }

  answer(heard: Heard, answer: Answer): void {
    heard.answer = answer;
    heard.answered = this.count++;
    heard.answeredAtMs = performance.now();
  }

  move(advancedMs: number): void {
    this.clockMs += advancedMs;
    this.moves.push({ advancedMs, at: this.count++ });
  }

  /** The last exchanges up to this one, with the moves of the clock among them. */
  chainTo(last: Heard | undefined, most = 12): Chain {
    const end = last?.answered ?? last?.arrived ?? this.count;
    const heard = this.heard.filter(({ arrived }) => arrived <= end).slice(-most);
    const begin = heard[0]?.arrived ?? 0;
    const links = [
      ...heard.map((each) => ({ at: each.arrived, link: exchangeOf(each) })),
      ...this.moves.filter(({ at }) => at > begin && at < end).map(({ at, advancedMs }) => ({ at, link: { advancedMs } })),
    ];
    return links.sort((one, other) => one.at - other.at).map(({ link }) => link);
  }
}

/** With its whole address, because a client may go to several origins. */
function exchangeOf({ origin, received, arrivedAtMs, answeredAtMs, answer }: Heard): Exchange {
  const { method, target, headers, body } = received;
  return {
    request: { method, target: `${origin}${target}`, headers, ...(body.length === 0 ? {} : { body: body.toString('utf8') }) },
    ...(answer === undefined ? {} : { answer }),
    sentAtMs: arrivedAtMs,
    durationMs: (answeredAtMs ?? arrivedAtMs) - arrivedAtMs,
  };
}
