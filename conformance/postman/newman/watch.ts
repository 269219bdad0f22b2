import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { WireProblem } from '../../wire/index.js';

interface Limits {
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly ca?: string;
  readonly insecure: boolean;
  readonly keepAlive: boolean;
}

/** Newman limits only the pauses of an answer, not its size or its whole time. Its connections are therefore ours, and one beyond a limit is cut. */
export class Watch {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly #limits: Limits;
  #problem: WireProblem | undefined;
  #timer: NodeJS.Timeout | undefined;
  #began = 0;
  #isAllowed = false;

  /** No request goes out before it is allowed, and none sooner after another than is said then. */
  constructor(limits: Limits, allowed: Promise<number>) {
    this.#limits = limits;
    const { ca, insecure, keepAlive } = limits;
    this.agents = {
      http: new HttpAgent({ keepAlive }),
      https: new HttpsAgent({ keepAlive, rejectUnauthorized: !insecure, ...(ca === undefined ? {} : { ca }) }),
    };
    for (const agent of Object.values(this.agents)) sendLater(agent, allowed);
    allowed.then(() => {
      this.#isAllowed = true;
      this.#began = performance.now();
    });
  }

  begin(bounded: boolean): void {
    this.end();
    const { timeoutMs, maxAnswerBytes } = this.#limits;
    this.#began = performance.now();
    const before = new Map(this.#sockets().map((socket) => [socket, socket.bytesRead]));
    this.#timer = setInterval(() => {
      if (bounded && this.#isAllowed && performance.now() - this.#began > timeoutMs)
        this.#cut({ code: 'timeout', message: `no whole answer came within ${timeoutMs} ms` });
      const most = Math.max(0, ...this.#sockets().map((socket) => socket.bytesRead - (before.get(socket) ?? 0)));
      if (most > maxAnswerBytes) this.#cut({ code: 'too-large', message: `the answer is larger than ${maxAnswerBytes} octets` });
    }, 20);
  }

  /** Ends the watch over one exchange, and says why it was cut, if it was. */
  end(): WireProblem | undefined {
    clearInterval(this.#timer);
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }

  close(): void {
    this.end();
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  #cut(problem: WireProblem): void {
    this.#problem = problem;
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  #sockets(): Socket[] {
    const { http, https } = this.agents;
    return [http.sockets, http.freeSockets, https.sockets, https.freeSockets].flatMap((pools) =>
      Object.values(pools).flatMap((pool) => pool ?? []),
    );
  }
}

interface Sending {
  addRequest(request: object, options: object): void;
}

function sendLater(agent: object, allowed: Promise<number>): void {
  const sending = agent as Sending;
  const send = sending.addRequest.bind(agent);
  let nextAtMs = 0;
  sending.addRequest = (request, options) =>
    void allowed.then((apartMs) => {
      const nowMs = performance.now();
      const waitMs = Math.max(0, nextAtMs - nowMs);
      nextAtMs = nowMs + waitMs + apartMs;
      if (waitMs === 0) send(request, options);
      else setTimeout(() => send(request, options), waitMs);
    });
}
