import type { Protocol } from '../../../spec/index.js';
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

export interface LoginUser {
  readonly id: number | string;
  readonly paraphrase: string;
}

/** A token is renewed when so much of its life is over. */
const renewedAfter = 0.95;
/** After wrong credentials nothing is tried for a while: services lock accounts. */
const pauseMs = 10_000;
const timeoutMs = 10_000;
/** The nonce may end between challenge and exchange; more than one second try would be guessing. */
const mostExchanges = 2;
/** How a dead token is refused is not shown; with a nonce these are taken for it, too. */
const otherRefusals: readonly (number | undefined)[] = [403, 419];

/** Logs in as one user, once for all requests that wait. */
export class Logins {
  #last: Promise<Login> = Promise.resolve({ untilMs: Number.NEGATIVE_INFINITY });
  #worked = false;
  #problem: string | undefined;

  constructor(
    readonly upstream: Upstream,
    readonly user: LoginUser,
    readonly protocol: Protocol,
    readonly nowMs: () => number,
    readonly onProblem: (text: string) => void,
  ) {}

  /** Why no login worked; undefined when one did, or none was tried. */
  get failure(): string | undefined {
    return this.#worked ? undefined : this.#problem;
  }

  /** The login that holds; a new one where there is none, or where this one is known to be refused. The request says where to log in. */
  async current(request: Outgoing, refused?: { readonly login: Login; readonly nonce: string | undefined }): Promise<Login> {
    const last = this.#last;
    const login = await last;
    const isOver = login === refused?.login || login.untilMs <= this.nowMs();
    // Unless another request has begun one meanwhile.
    if (isOver && this.#last === last) this.#last = this.#logIn(request, refused?.nonce);
    return this.#last;
  }

  /** Whether the service refuses the token, or asks for one. */
  isRefusal({ statusCode, headers }: Came, { token }: Login): boolean {
    const isChallenge = statusCode === this.protocol.challenge.status;
    const hasNonce = headers[this.protocol.headers.nonce.toLowerCase()] !== undefined;
    return hasNonce ? isChallenge || otherRefusals.includes(statusCode) : isChallenge && token !== undefined;
  }

  async #logIn(request: Outgoing, nonce: string | undefined): Promise<Login> {
    try {
      const login = await this.#threeSteps(request, nonce);
      if (login.token !== undefined) this.#worked = true;
      return login.problem === undefined ? login : this.#failed(login);
    } catch (error) {
      return this.#failed({ problem: noAnswer(error as Error), untilMs: this.nowMs() });
    }
  }

  #failed(login: Login): Login {
    const text = login.problem?.text ?? '';
    if (text !== this.#problem) this.onProblem(text);
    this.#problem = text;
    return login;
  }

  /** Steps A and B; the first only where no challenge is at hand. The request with the token is the caller's. */
  async #threeSteps({ target, method, headers: own, body }: Outgoing, challenged: string | undefined): Promise<Login> {
    const { headers, challenge, token: rules } = this.protocol;
    const { id, paraphrase } = this.user;
    const asked =
      challenged === undefined ? { method: 'GET', body: undefined } : { method, body: Buffer.isBuffer(body) ? body : undefined };
    const basic = `${challenge.scheme} ${Buffer.from(`${id}:${paraphrase}`).toString('base64')}`;
    let nonce = challenged;
    for (let exchanges = 0; ; ) {
      const more: readonly string[] = nonce === undefined ? [] : [headers.nonce, nonce, headers.authorization, basic];
      const came = await this.upstream.ask({ ...asked, target, headers: [...own, ...more], timeoutMs });
      discard(came);
      const { statusCode: status = 0 } = came;
      const token = headerOf(came, headers.token);
      const next = headerOf(came, headers.nonce);
      if (nonce !== undefined) {
        if (status < 300 && token !== undefined) return { token, untilMs: this.nowMs() + rules.lifetimeMs * renewedAfter };
        exchanges += 1;
        if (status !== challenge.status || next === undefined || exchanges === mostExchanges) {
          const text = `The service refused the login of user ${id}: it answered ${status} and gave no token.`;
          return { problem: { status: 503, text }, untilMs: this.nowMs() + pauseMs };
        }
      } else if (next === undefined) return { untilMs: Number.POSITIVE_INFINITY };
      nonce = next;
    }
  }
}

/** What is told where the service cannot be asked. Its certificate may stand in that, and steer no terminal. */
export function noAnswer({ message, code = '' }: NodeJS.ErrnoException): Problem {
  return { status: 502, text: `The service gave no answer: ${(message || code).replace(/[\p{Control}\p{Bidi_Control}]/gu, '?')}` };
}

export function headerOf({ headers }: Came, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return (typeof value === 'string' ? value : value?.[0])?.trim() || undefined;
}
