import { headerValues, type WireProblem } from './exchange.js';
import { quoted } from './fault.js';
import type { Head } from './head.js';

/** How the end of a body is known (RFC 9112, section 6.3). */
export interface Framing {
  readonly kind: 'none' | 'length' | 'chunked' | 'until-close';
  readonly length: number;
  /** The connection can carry another exchange afterwards. */
  readonly reusable: boolean;
  /** What the header lines say of the length contradicts itself. */
  readonly problem?: WireProblem;
  /** The end cannot be known from the header: wait a moment only. */
  readonly doubtful?: boolean;
}

export function frame(head: Head, method: string): Framing {
  const reusable = staysOpen(head);
  const transfer = tokens(headerValues(head, 'transfer-encoding'));
  const lengths = readLengths(headerValues(head, 'content-length'));
  // Behind it comes another protocol.
  if (head.status === 101) return { kind: 'until-close', length: 0, reusable: false, doubtful: true };
  const bodiless = method === 'HEAD' || head.status < 200 || head.status === 204 || head.status === 304;
  if (method === 'CONNECT' && head.status >= 200 && head.status < 300) return { kind: 'none', length: 0, reusable: false };
  if (bodiless) {
    const problem = 'invalid' in lengths ? wrongLength(lengths.invalid) : undefined;
    return { kind: 'none', length: 0, reusable, ...(problem && { problem }) };
  }
  if (transfer.length > 0) return frameCoded(transfer, lengths, reusable);
  if ('invalid' in lengths)
    return { kind: 'until-close', length: 0, reusable: false, doubtful: true, problem: wrongLength(lengths.invalid) };
  if (lengths.value === undefined) return { kind: 'until-close', length: 0, reusable: false };
  return { kind: 'length', length: lengths.value, reusable };
}

function frameCoded(transfer: readonly string[], lengths: Lengths, reusable: boolean): Framing {
  const kind = transfer.at(-1) === 'chunked' ? 'chunked' : 'until-close';
  const said = 'invalid' in lengths || lengths.value !== undefined;
  const problem: WireProblem | undefined = said
    ? { code: 'length', message: 'The answer has both Content-Length and Transfer-Encoding, which contradict each other.' }
    : transfer.length > 1 || kind !== 'chunked'
      ? { code: 'malformed', message: `The answer uses a transfer coding nobody asked for: ${quoted(transfer.join(', '))}.` }
      : undefined;
  return { kind, length: 0, reusable: reusable && kind === 'chunked' && problem === undefined, ...(problem && { problem }) };
}

type Lengths = { readonly value: number | undefined } | { readonly invalid: string };

const aLength = /^[0-9]{1,15}$/;

/** The same number several times over is one number (RFC 9110, section 8.6). */
function readLengths(lines: readonly string[]): Lengths {
  const [value, ...others] = new Set(lines.flatMap((line) => line.split(',')).map((each) => each.trim()));
  if (value === undefined) return { value };
  return others.length === 0 && aLength.test(value) ? { value: Number(value) } : { invalid: lines.join(', ') };
}

function wrongLength(said: string): WireProblem {
  return { code: 'length', message: `Content-Length is not one number: ${quoted(said)}.` };
}

function staysOpen(head: Head): boolean {
  const options = tokens(headerValues(head, 'connection'));
  if (options.includes('close')) return false;
  return head.httpVersion !== '1.0' || options.includes('keep-alive');
}

function tokens(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(',')).flatMap((part) => part.trim().toLowerCase() || []);
}
