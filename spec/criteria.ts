import type { Protocol } from './protocol.js';

/** A success criterion of an Arazzo step. */
interface Criterion {
  readonly context?: string;
  readonly condition: string;
  readonly type?: 'regex' | 'jsonpath';
}

/** What every response carries. */
export function everywhere({ headers, mediaType, allowOrigin, datePattern, link }: Protocol): Criterion[] {
  const target = `<(?:[^>]*/)?${escaped(link.path.slice(1))}>`;
  return [
    matches(`$response.header.${headers.contentType}`, `^${escaped(mediaType)}\\s*(?:;|$)`),
    matches(`$response.header.${headers.link}`, `${target}[^<]*;\\s*rel="?(?:[^"<]*\\s)?${escaped(link.relation)}(?:[\\s",;]|$)`),
    matches(`$response.header.${headers.allowOrigin}`, `^${escaped(allowOrigin)}$`),
    matches(`$response.header.${headers.contentLength}`, '^[0-9]+$'),
    matches(`$response.header.${headers.date}`, datePattern.source),
  ];
}

/** Other schemes and other parameters may stand beside the one that is required. */
export function authenticatePattern({ challenge: { authenticate, scheme } }: Protocol): string {
  const realm = authenticate.slice(scheme.length + 1);
  return `(?:^|,\\s*)${escaped(scheme)}\\s(?:.*,\\s*)?${escaped(realm)}\\s*(?:,|$)`;
}

/** Exactly one member with exactly this text. Equality of texts ignores case in Arazzo; a regular expression does not. */
export function body(expected: object): Criterion[] {
  const [key, message] = Object.entries(expected)[0] as [string, string];
  return [
    { context: '$response.body', condition: '$[?count(@.*) == 1]', type: 'jsonpath' },
    matches(`$response.body#/${key}`, `^${escaped(message)}$`),
  ];
}

/** A resource, and not once more the answer of Step B. */
export function notTheMessage(other: object): Criterion[] {
  const [key, message] = Object.entries(other)[0] as [string, string];
  return [{ context: '$response.body', condition: `$[?@[${quoted(key)}] != ${quoted(message)}]`, type: 'jsonpath' }];
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

export function status(code: number): Criterion {
  return { condition: `$statusCode == ${code}` };
}

export function differs(one: string, other: string): Criterion {
  return { condition: `${one} != ${other}` };
}

export function matches(context: string, pattern: string): Criterion {
  return { context, condition: pattern, type: 'regex' };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
