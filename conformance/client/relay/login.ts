import type { Protocol } from '../../../spec/index.js';
import { exchange, isRefusal, type StepAnswer } from '../../reference-client/steps.js';
import type { ClientUser } from '../traffic/index.js';
import { type Came, discard, type Outgoing, type Upstream } from './upstream.js';

/** Why a request is answered by the proxy itself. */
export interface Problem {
  readonly status: number;
  readonly text: string;
}

/** What came of a login, and until when it holds. With neither token nor problem, the service asked for no login. */
export interface Login {
  readonly token?: string;
  readonly problem?: Problem;
  readonly untilMs: number;
}

/** A token is renewed when so much of its life is over. */
const renewedAfter = 0.95;
/** After wrong credentials nothing is tried for a while: services lock accounts. */
const pauseMs = 10_000;
const timeoutMs = 10_000;

/** Logs in as one user, once for all requests that wait. */
export class Logins {
  #last: Promise<Login> = Promise.resolve({ untilMs: Number.NEGATIVE_INFINITY });
  #worked = false;
  #problem: string | undefined;

  constructor(
    readonly upstream: Upstream,
    readonly user: ClientUser,
    readonly protocol: Protocol,
    readonly nowMs: () => number,
    readonly onProblem: (text: string) => void,
  ) {}

  /** Why no login worked; undefined when one did, or none was tried. */
  get failure(): string | undefined {
    return this.#worked ? undefined : this.#problem;
  }

  /** The login that holds; a new one where there is none, or where this one is known to be refused. The request says where to log in. */
  async current(request: Outgoing, refused?: { readonly login: Login; readonly by: Came }): Promise<Login> {
    const last = this.#last;
    const login = await last;
    const isOver = login === refused?.login || login.untilMs <= this.nowMs();
    // Unless another request has begun one meanwhile.
    if (isOver && this.#last === last) this.#last = this.#logIn(request, refused && read(refused.by).header(this.protocol.headers.nonce));
    return this.#last;
  }

  /** Whether the service refuses the token, or asks for one. */
  isRefusal(came: Came, { token }: Login): boolean {
    return isRefusal(read(came), token !== undefined, this.protocol);
  }

  async #logIn(request: Outgoing, challenged: string | undefined): Promise<Login> {
    const login = await this.#steps(request, challenged).catch((error): Login => ({ problem: noAnswer(error), untilMs: this.nowMs() }));
    if (login.token !== undefined) this.#worked = true;
    if (login.problem !== undefined && login.problem.text !== this.#problem) {
      this.#problem = login.problem.text;
      this.onProblem(this.#problem);
    }
    return login;
  }

  /** Steps A and B; the first only where no challenge is at hand. The request with the token is the caller's. */
  async #steps(request: Outgoing, challenged: string | undefined): Promise<Login> {
    const { target, headers, method, body } = request;
    const { id, paraphrase } = this.user;
    const asked =
      challenged === undefined ? { method: 'GET', body: undefined } : { method, body: Buffer.isBuffer(body) ? body : undefined };
    const ask = async (more: Record<string, string>) => {
      const came = await this.upstream.ask({ ...asked, target, headers: [...headers, ...Object.entries(more).flat()], timeoutMs });
      discard(came);
      return read(came);
    };
    const nonce = challenged ?? (await ask({})).header(this.protocol.headers.nonce);
    if (nonce === undefined) return { untilMs: Number.POSITIVE_INFINITY };
    const given = await exchange(nonce, Buffer.from(`${id}:${paraphrase}`).toString('base64'), this.protocol, ask);
    if (typeof given === 'string') return { token: given, untilMs: this.nowMs() + this.protocol.token.lifetimeMs * renewedAfter };
    const text = `The service refused the login of user ${id}: it answered ${given} and gave no token.`;
    return { problem: { status: 503, text }, untilMs: this.nowMs() + pauseMs };
  }
}

/** What is told where the service cannot be asked. Its certificate may stand in that, and steer no terminal. */
export function noAnswer({ message, code = '' }: NodeJS.ErrnoException): Problem {
  return { status: 502, text: `The service gave no answer: ${(message || code).replace(/[\p{Control}\p{Bidi_Control}]/gu, '?')}` };
}

const read = ({ statusCode: status = 0, headers }: Came): StepAnswer => ({
  status,
  header: (name) => [headers[name.toLowerCase()]].flat()[0]?.trim() || undefined,
});
