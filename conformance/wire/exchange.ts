/** A header line as it stands on the wire: name and value in the sender's own spelling. */
export type HeaderLine = readonly [name: string, value: string];

/** A request to be sent exactly as written. */
export interface RequestPlan {
  readonly method: string;
  /** Path and query exactly as they go on the wire, in whatever spelling. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string;
  /** Sent on a connection of its own instead of a pooled one. */
  readonly freshConnection?: boolean;
  /** Written in two pieces, the second when the first has surely arrived. */
  readonly inPieces?: true;
  /** 1.1 where it is not given. */
  readonly httpVersion?: '1.0';
  /** Written just before it on a connection of their own, without waiting for its answer. */
  readonly ahead?: RequestPlan;
  /** The answer to the one ahead is awaited, on a connection that is kept. */
  readonly awaitsAhead?: true;
}

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  /** Every line as sent: order, letter case and repetitions kept. */
  readonly headers: readonly HeaderLine[];
  /** The octets of the body as sent, after transfer coding, before content coding; of one beyond the client's limit the beginning. */
  readonly body: Buffer;
  /** How many octets there were, where only their beginning is kept. */
  readonly wholeOctets?: number;
  /** Who recorded it has undone its content coding, so that nobody knows how many octets were sent. */
  readonly isDecoded?: true;
  /** Of a change to another protocol: the connection was not closed behind it. What came in that protocol is the body. */
  readonly staysOpen?: true;
  /** It is no success, and its body holds what is served to others. */
  readonly discloses?: true;
}

export type WireProblemCode =
  | 'unreachable' // no connection: refused, unknown host, no route
  | 'certificate' // TLS did not verify
  | 'timeout'
  | 'closed' // connection reset or closed before the answer was whole
  | 'malformed' // the answer is not HTTP/1.x
  | 'too-large' // header or body beyond the client's limits
  | 'length' // more or fewer octets than Content-Length says
  | 'aborted'; // the run was interrupted

/** What went wrong on the wire, in a plain sentence. */
export interface WireProblem {
  readonly code: WireProblemCode;
  readonly message: string;
}

/** The connection that a request went out on, and what had been asked on it before. */
export interface ConnectionUse {
  /** In the order in which a client opened them, from 1. */
  readonly number: number;
  /** How many requests it had carried before. */
  readonly earlier: number;
  /** The last of them, the oldest first. */
  readonly latest: readonly RequestPlan[];
}

/** One request and what came of it. An answer with a problem beside it is one that was cut short or overran. */
export interface Exchange {
  readonly request: RequestPlan;
  readonly answer?: Answer;
  readonly problem?: WireProblem;
  /** Milliseconds on a monotonic clock of this process. */
  readonly sentAtMs: number;
  readonly durationMs: number;
  /** How often the target asked to slow down (429 with Retry-After) before this answer. */
  readonly delayedTimes?: number;
  /** Where the request went out. Newman and the clients that are judged do not say. */
  readonly connection?: ConnectionUse;
  /** What came of the request that was written ahead of it. */
  readonly ahead?: Exchange;
}

/** The target's clock was moved. */
export interface ClockMove {
  readonly advancedMs: number;
}

/** What led to a finding, in order. */
export type Chain = readonly (Exchange | ClockMove)[];

export function isClockMove(link: Exchange | ClockMove): link is ClockMove {
  return 'advancedMs' in link;
}

/** The connection was closed, and no answer had come. */
export function isHungUp({ answer, problem }: Exchange): boolean {
  return answer === undefined && problem?.code === 'closed';
}

/** Whether another request is written ahead of it without waiting for the answer. */
export function isPipelined({ ahead, awaitsAhead }: RequestPlan): boolean {
  return ahead !== undefined && awaitsAhead !== true;
}

/** Every value of a header, by its name in any letter case. Asked many times of every answer: most names differ in their length already. */
export function headerValues({ headers }: Pick<Answer, 'headers'>, name: string): readonly string[] {
  const same = name.toLowerCase();
  return headers.filter(([each]) => each.length === name.length && each.toLowerCase() === same).map(([, value]) => value);
}
