import { type Answer, headerValues } from '../wire/index.js';

/** As many for a host as browsers keep, and as large (RFC 6265, section 6.1). */
const mostCookies = 50;
const mostOctets = 4096;
const mostParts = 20;

/** The cookies that a target set, in whatever step, as a browser keeps them: each with its last value, until it ends; the oldest goes first. */
export class CookieJar {
  readonly #cookies = new Map<string, { readonly pair: string; readonly path: string; readonly endsAtMs: number }>();

  constructor(
    private readonly dateName: string,
    private readonly nowMs: () => number,
  ) {}

  note(target: string, answer: Answer): void {
    const ownPath = pathOf(target);
    const folder = ownPath.slice(0, Math.max(1, ownPath.lastIndexOf('/')));
    for (const line of headerValues(answer, 'set-cookie')) {
      const [[name, value], ...attributes] = line.split(';', mostParts).map(nameAndValue) as [[string, string], ...[string, string][]];
      const pair = `${name}=${value}`;
      if (name === '' || pair.length > mostOctets) continue;
      const given = new Map(attributes.map(([attribute, text]) => [attribute.toLowerCase(), text]));
      const path = /^\//.test(given.get('path') ?? '') ? (given.get('path') as string) : folder;
      const livesMs = lifeMs(given, headerValues(answer, this.dateName)[0]);
      const key = `${name};${path}`;
      this.#cookies.delete(key);
      if (livesMs > 0) this.#cookies.set(key, { pair, path, endsAtMs: this.nowMs() + livesMs });
      if (this.#cookies.size > mostCookies) this.#cookies.delete(this.#cookies.keys().next().value as string);
    }
  }

  /**
   * What a browser would send back with a request to this target (RFC 6265, section 5.1.4); undefined where there is nothing. Of many large
   * ones it is the newest, because a line that no server takes would say nothing of this one.
   */
  lineFor(target: string): string | undefined {
    const path = pathOf(target);
    let line: string | undefined;
    for (const { pair, endsAtMs, path: below } of [...this.#cookies.values()].reverse()) {
      const longer = line === undefined ? pair : `${pair}; ${line}`;
      const isBelow = path === below || path.startsWith(below.replace(/\/?$/, '/'));
      if (endsAtMs > this.nowMs() && isBelow && longer.length <= mostOctets) line = longer;
    }
    return line;
  }
}

function nameAndValue(part: string): [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? ['', ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

/** Max-Age goes before Expires, which is a date by the target's own clock. */
function lifeMs(given: ReadonlyMap<string, string>, date = ''): number {
  const [maxAge = '', expires] = [given.get('max-age'), Date.parse(given.get('expires') ?? '')];
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) * 1000;
  const now = Date.parse(date);
  return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires - (Number.isNaN(now) ? Date.now() : now);
}

function pathOf(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*/s, '') || '/';
}
