import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from './call.js';

const noToken = 'the token is missing or wrong; allowed is Authorization: Bearer, with the controlToken of serve --json';

/** Who may control the server: whoever has the token. */
export class Access {
  readonly token = secret();
  // Browsers send a cookie to every port of a host: it has a secret of its own, so that no other server there learns the token, and the
  // port in its name, so that two servers do not overwrite each other's.
  readonly #session = secret();
  readonly #cookie: string;
  readonly #passes = new Set<string>();

  constructor(port: number) {
    this.#cookie = `hydrauth-control-${port}`;
  }

  /** Throws unless the request has the token in its header or, in a browser, the secret of its cookie. */
  checkToken({ headers: { authorization = '', cookie = '' } }: IncomingMessage): void {
    const session = cookie.split(/; */).find((each) => each.startsWith(`${this.#cookie}=`));
    if (isSame(/^Bearer +(\S+)$/i.exec(authorization)?.[1], this.token)) return;
    if (isSame(session?.slice(this.#cookie.length + 1), this.#session)) return;
    throw new Refusal('unauthorized', noToken);
  }

  /** Whether an address lets a browser in: by the token, or by a pass that was not used yet. */
  letsIn(query: URLSearchParams): boolean {
    return isSame(query.get('token'), this.token) || this.#passes.delete(query.get('pass') ?? '');
  }

  /** Good for one visit: for an address that others can see, such as in a list of processes. */
  pass(): string {
    const pass = secret();
    this.#passes.add(pass);
    return pass;
  }

  /** The line that lets a browser in. */
  get setCookie(): string {
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }
}

function secret(): string {
  return randomBytes(24).toString('hex');
}

function isSame(text: string | null | undefined, wanted: string): boolean {
  return typeof text === 'string' && timingSafeEqual(digest(text), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
