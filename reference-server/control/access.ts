import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { wrongHost, wrongOrigin } from '../loopback.js';
import { Refusal } from './refusal.js';

const tokenOctets = 24;

/** Who may control the server: whoever has the token and is no page of another origin. */
export class Access {
  readonly token = randomBytes(tokenOctets).toString('hex');
  readonly #cookie: string;
  readonly #passes = new Set<string>();

  constructor(port: number) {
    // Browsers send a cookie to every port of a host, so that two servers need two names.
    this.#cookie = `hydrauth-control-${port}`;
  }

  /** Throws unless the request names this listener. */
  checkHost(req: IncomingMessage): void {
    const wrong = wrongHost(req);
    if (wrong !== undefined) throw new Refusal('forbidden', wrong);
  }

  /** Throws when a page of another origin asks. */
  checkOrigin(req: IncomingMessage): void {
    const wrong = wrongOrigin(req);
    if (wrong !== undefined) throw new Refusal('forbidden', wrong);
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
