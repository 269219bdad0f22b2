import { word } from './shell.js';

/** A value of the run whose counterpart the script has in a variable. */
export interface Known {
  readonly variable: string;
  readonly octets: Buffer;
}

/** A shorter value may stand in a text by chance. */
const leastOctets = 6;

/** A value as a shell word made from a known one: the same, in another letter case, cut, or with something put in. */
export function derived(value: Buffer, known: readonly Known[]): string | undefined {
  const same = known.find((each) => each.octets.equals(value));
  if (same !== undefined) return `"$${same.variable}"`;
  if (known.some(({ octets }) => octets.length >= leastOctets && value.includes(octets))) return composed(value, known, () => false);
  return known.map((each) => recased(value, each)).find((each) => each !== undefined) ?? nearest(value, known);
}

const recognisableOctets = 8;

/** Whether a text holds a recognisable part of a known value. */
function holdsPartOf(text: Buffer, { octets }: Known): boolean {
  for (let at = 0; at + recognisableOctets <= octets.length; at += 1)
    if (text.includes(octets.subarray(at, at + recognisableOctets))) return true;
  return false;
}

/** A text with variables in place of the known values in it. Undefined when the rest holds a secret. */
export function composed(text: Buffer, known: readonly Known[], isSecret: (part: Buffer) => boolean): string | undefined {
  for (const { octets, variable } of known) {
    const at = octets.length < leastOctets ? -1 : text.indexOf(octets);
    if (at < 0) continue;
    const before = composed(text.subarray(0, at), known, isSecret);
    const behind = composed(text.subarray(at + octets.length), known, isSecret);
    return before === undefined || behind === undefined
      ? undefined
      : `${at === 0 ? '' : before}"$${variable}"${at + octets.length === text.length ? '' : behind}`;
  }
  return isSecret(text) || known.some((each) => holdsPartOf(text, each)) ? undefined : word(text);
}

function recased(value: Buffer, { octets, variable }: Known): string | undefined {
  const [mine, theirs] = [value.toString('latin1'), octets.toString('latin1')];
  const shift = (from: string, to: string) => `"$(printf %s "$${variable}" | tr '[:${from}:]' '[:${to}:]')"`;
  if (mine === theirs.replace(/[a-z]/g, (each) => each.toUpperCase())) return shift('lower', 'upper');
  return mine === theirs.replace(/[A-Z]/g, (each) => each.toLowerCase()) ? shift('upper', 'lower') : undefined;
}

/** The beginning of a known value, something else, and its end. Undefined when less than half of the value is left. */
function nearest(value: Buffer, known: readonly Known[]): string | undefined {
  const parts = known.map((each) => ({ ...each, ...shared(value, each.octets) }));
  const [best] = parts
    .filter(({ octets, begin, end }) => octets.length > 1 && (begin + end) * 2 >= octets.length)
    .sort((one, other) => other.begin + other.end - one.begin - one.end);
  if (best === undefined) return undefined;
  const { variable, octets, begin, end } = best;
  const middle = composed(value.subarray(begin, value.length - end), known, () => false);
  if (middle === undefined) return undefined;
  const cut = (range: string) => `"$(printf %s "$${variable}" | cut -b${range})"`;
  const whole = begin === octets.length ? `"$${variable}"` : undefined;
  return [
    begin === 0 ? '' : (whole ?? cut(`1-${begin}`)),
    begin + end === value.length ? '' : middle,
    end === 0 ? '' : end === octets.length ? `"$${variable}"` : cut(`${octets.length - end + 1}-`),
  ].join('');
}

function shared(value: Buffer, known: Buffer): { begin: number; end: number } {
  const most = Math.min(value.length, known.length);
  let begin = 0;
  while (begin < most && value[begin] === known[begin]) begin += 1;
  let end = 0;
  while (end < most - begin && value[value.length - 1 - end] === known[known.length - 1 - end]) end += 1;
  return { begin, end };
}
