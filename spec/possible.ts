import type { Reader } from './document.js';
import { durationMs } from './duration.js';
import type { Literal } from './literals.js';
import { leastBits, shapeOf } from './shape.js';

type Rule = readonly [expected: string, isPossible: (value: string) => boolean];

const matching = (expected: string, pattern: RegExp): Rule => [expected, (value) => pattern.test(value)];
const shape: Rule = [
  `a pattern from ^ to $ is expected, of characters, classes, groups and counts, with room for ${leastBits} bits`,
  (value) => shapeOf(new RegExp(value, 'u')) !== undefined,
];
const minuteMs = 60_000;
const yearMs = 366 * 24 * 60 * minuteMs;
const isLifetime = (value: string) => (durationMs(value) ?? 0) >= minuteMs && (durationMs(value) ?? 0) <= yearMs;
const headerName = matching('the name of a header is expected', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);

/** Headers that HTTP, a browser or a proxy reads, sets or drops by itself. */
const ofHttp =
  'age|allow|alt-svc|authorization|cache-control|connection|cookie2?|date|dnt|etag|expect|expires|forwarded|from|host|http2-settings|keep-alive|last-modified|link|location|max-forwards|origin|pragma|range|referer|retry-after|server|set-cookie2?|te|trailers?|transfer-encoding|upgrade|user-agent|vary|via|warning|(?:accept|access-control|content|if|proxy|sec|strict|www|x-forwarded)(?:-.+)?';
const ownHeader = matching(
  'the name of a header is expected that HTTP does not use itself, such as X-Nonce',
  new RegExp(`^(?!(?:${ofHttp})$)[!#$%&'*+.^_\`|~0-9a-z-]+$`, 'i'),
);

/** What the kit can send and judge, by the kind of a literal or by its name. */
const rules: Readonly<Record<string, Rule>> = {
  'header-name': headerName,
  'header name: nonce': ownHeader,
  'header name: token': ownHeader,
  'media-type': matching('a media type without parameters is expected, such as application/ld+json', /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/),
  duration: ['a duration from PT1M, one minute, to P366D, a year, is expected', isLifetime],
  path: matching(
    '{base_url} and a path of letters, digits, hyphens and points are expected',
    /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/,
  ),
  'nonce shape': shape,
  'token shape': shape,
  realm: matching('a realm of visible characters and blanks is expected', /^[ -~]+$/),
  'link relation': matching('an address or a word without blanks and quotes is expected', /^[^\s"'<>;,]+$/),
  'allowed origin': matching('* or one origin is expected, such as https://app.example', /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,;]+)$/i),
};

/** Refuses what the document says but the kit could not follow, with the place. */
export function refuseImpossible(literals: readonly Literal[], headerNames: readonly string[], reader: Reader): void {
  for (const { name, kind, value, at } of literals) {
    const [expected, isPossible] = rules[name] ?? rules[kind] ?? [];
    const pointer = at[0]?.pointer ?? [];
    if (isPossible?.(String(value)) === false) reader.problem(pointer, `${expected}, not ${JSON.stringify(value)}`);
    const others = headerNames.filter((other) => other.toLowerCase() === String(value).toLowerCase());
    if (kind === 'header-name' && others.length > 1)
      reader.problem(pointer, `${value} is the name of another header too; one of its own is expected`);
  }
}

const threeDigits = /(?:\[(?:1-5|4-5|45|0-9)\]|\\d)(?:(?:\[0-9\]|\\d)(?:\{2\}|\[0-9\]|\\d)|\{3\})/;

/** The form of a key that a pattern describes, with a star where three digits stand for the status; undefined where it is more than that. */
export function keyFormOf(pattern: string): string | undefined {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1]?.replace(threeDigits, '*');
  if (inner === undefined || /(?<!\\)[[\](){}|?+.^$]|\\[a-z]/i.test(inner)) return undefined;
  const form = inner.replace(/\\(.)/g, '$1');
  return new RegExp(pattern, 'u').test(form.replace('*', '404')) ? form : undefined;
}
