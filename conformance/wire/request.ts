import type { HeaderLine, RequestPlan } from './exchange.js';

/** What every request carries unless its plan says otherwise. */
interface RequestDefaults {
  readonly host: string;
  readonly userAgent: string;
  /** Lines of every request, in place of those of the same name in its plan. */
  readonly headers: readonly HeaderLine[];
}

const bodyMethods = new Set(['POST', 'PUT', 'PATCH']);
const breaks = /[\r\n\0]/;
const beyondOctets = /[^\0-\xff]/;

/** All header lines of a request, in the order in which they are sent: the client's own first, then the plan's as written. */
function requestHeaders(plan: RequestPlan, defaults: RequestDefaults): HeaderLine[] {
  const written = new Set(plan.headers.map(([name]) => name.toLowerCase()));
  const own: HeaderLine[] = [];
  if (!written.has('host')) own.push(['Host', defaults.host]);
  if (!written.has('user-agent')) own.push(['User-Agent', defaults.userAgent]);
  if (plan.freshConnection === true && !written.has('connection')) own.push(['Connection', 'close']);
  const framed = written.has('content-length') || written.has('transfer-encoding');
  if (!framed && (plan.body !== undefined || bodyMethods.has(plan.method))) {
    own.push(['Content-Length', String(Buffer.byteLength(plan.body ?? ''))]);
  }
  const given = new Set(defaults.headers.map(([name]) => name.toLowerCase()));
  const others = (lines: readonly HeaderLine[]) => lines.filter(([name]) => !given.has(name.toLowerCase()));
  return [...others(own), ...defaults.headers, ...others(plan.headers)];
}

/**
 * The octets of a request, target and header lines exactly as the plan has them. A character up to U+00FF is one octet, so that any
 * octets can be sent; a text with others goes out in UTF-8. Line breaks would make two requests of one and are a defect of the caller.
 */
export function requestOctets(plan: RequestPlan, defaults: RequestDefaults): Buffer {
  let text = lineOf(`${plan.method} ${plan.target} HTTP/${plan.httpVersion ?? '1.1'}`);
  for (const [name, value] of requestHeaders(plan, defaults)) text += lineOf(`${name}: ${value}`);
  text += '\r\n';
  const head = beyondOctets.test(text) ? Buffer.concat(text.split(/(?<=\n)/).map(lineOctets)) : Buffer.from(text, 'latin1');
  return plan.body === undefined ? head : Buffer.concat([head, Buffer.from(plan.body)]);
}

function lineOf(line: string): string {
  if (breaks.test(line)) throw new TypeError(`A request line cannot hold a line break or NUL: ${JSON.stringify(line)}`);
  return `${line}\r\n`;
}

/** A character up to U+00FF is one octet; a line with others is UTF-8. */
export function lineOctets(line: string): Buffer {
  return Buffer.from(line, beyondOctets.test(line) ? 'utf8' : 'latin1');
}
