import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';

const tokenOctets = 24;

/** Who may control the server: whoever has the token and is no page of another origin. */
export class Access {
  readonly token = randomBytes(tokenOctets).toString('hex');
  readonly #cookie: string;
  readonly #passes = new Set<string>();
  readonly #origins: readonly string[];

  constructor(port: number) {
    // Browsers send a cookie to every port of a host, so that two servers need two names.
    this.#cookie = `hydrauth-control-${port}`;
    this.#origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  }

  /** Throws unless the request names this listener. A page reaches loopback by a name of its own, too (DNS rebinding). */
  checkHost({ headers: { host } }: IncomingMessage): void {
    if (!this.#origins.includes(`http://${host?.toLowerCase()}`))
      throw new Refusal('forbidden', `this Host is not allowed; ${this.#origins.join(' and ')} are`);
  }

  /** Throws when a page of another origin asks. */
  checkOrigin({ headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): void {
    const own = `http://${host?.toLowerCase()}`;
    if (origin !== undefined && origin !== own) throw new Refusal('forbidden', `this Origin is not allowed; none is, and ${own}`);
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new Refusal('forbidden', `a page of another origin is not allowed; the live page of ${own} is`);
  }

  /** Throws unless the request has the token, in its header or, in a browser, in its cookie. */
  checkToken({ headers: { authorization = '', cookie = '' } }: IncomingMessage): void {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const session = cookie.split(/; */).find((each) => each.startsWith(`${this.#cookie}=`));
    if (this.isToken(bearer ?? session?.slice(this.#cookie.length + 1))) return;
    throw new Refusal(
      'unauthorized',
      'the token is missing or wrong; allowed is Authorization: Bearer, with the controlToken of serve --json',
    );
  }

  /** Whether an address lets a browser in: by the token, or by a pass that was not used yet. */
  letsIn(query: URLSearchParams): boolean {
    return this.isToken(query.get('token')) || this.#passes.delete(query.get('pass') ?? '');
  }

  /** Good for one visit: for an address that others can see, such as in a list of processes. */
  pass(): string {
    const pass = randomBytes(tokenOctets).toString('hex');
    this.#passes.add(pass);
    return pass;
  }

  isToken(text: string | null | undefined): boolean {
    return typeof text === 'string' && timingSafeEqual(digest(text), digest(this.token));
  }

  /** The line that lets a browser in. */
  get setCookie(): string {
    return `${this.#cookie}=${this.token}; HttpOnly; SameSite=Strict; Path=/`;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
