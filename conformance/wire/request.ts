import type { HeaderLine, RequestPlan } from './exchange.js';

/** What every request carries unless its plan says otherwise. */
export interface RequestDefaults {
  readonly host: string;
  readonly userAgent: string;
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH']);
const breaks = /[\r\n\0]/;

/** All header lines of a request, in the order in which they are sent: the client's own first, then the plan's as written. */
export function requestHeaders(plan: RequestPlan, defaults: RequestDefaults): HeaderLine[] {
  const written = new Set(plan.headers.map(([name]) => name.toLowerCase()));
  const own: HeaderLine[] = [];
  if (!written.has('host')) own.push(['Host', defaults.host]);
  if (!written.has('user-agent')) own.push(['User-Agent', defaults.userAgent]);
  if (plan.freshConnection === true && !written.has('connection')) own.push(['Connection', 'close']);
  const framed = written.has('content-length') || written.has('transfer-encoding');
  if (!framed && (plan.body !== undefined || bodyMethods.has(plan.method))) {
    own.push(['Content-Length', String(Buffer.byteLength(plan.body ?? ''))]);
  }
  return [...own, ...plan.headers];
}

/**
 * The octets of a request, target and header lines exactly as the plan has them. A character up to U+00FF is one octet, so that any
 * octets can be sent; a text with others goes out in UTF-8. Line breaks would make two requests of one and are a defect of the caller.
 */
export function requestOctets(plan: RequestPlan, defaults: RequestDefaults): Buffer {
  const lines = requestHeaders(plan, defaults).map(([name, value]) => `${name}: ${value}`);
  const all = [`${plan.method} ${plan.target} HTTP/1.1`, ...lines];
  const broken = all.find((line) => breaks.test(line));
  if (broken !== undefined) throw new TypeError(`A request line cannot hold a line break or NUL: ${JSON.stringify(broken)}`);
  const text = `${all.join('\r\n')}\r\n\r\n`;
  const head = /[^\0-\xff]/.test(text)
    ? Buffer.concat(all.map((line) => lineOctets(`${line}\r\n`)).concat(Buffer.from('\r\n')))
    : undefined;
  if (head === undefined && plan.body === undefined) return Buffer.from(text, 'latin1');
  return Buffer.concat([head ?? Buffer.from(text, 'latin1'), Buffer.from(plan.body ?? '')]);
}

/** A character up to U+00FF is one octet; a line with others is UTF-8. */
export function lineOctets(line: string): Buffer {
  return Buffer.from(line, /[^\0-\xff]/.test(line) ? 'utf8' : 'latin1');
}
