import { durationWords } from './duration.js';
import { SpecError } from './errors.js';
import { isObject, type Json } from './json.js';
import { pointerText } from './pointer.js';
import type { Protocol } from './protocol.js';

/** The literals of a protocol as the prose of the catalogue names them, each as {{name}}. */
function wordsOf({ headers, challenge, exchange, ...protocol }: Protocol): Readonly<Record<string, string>> {
  return {
    mediaType: protocol.mediaType,
    vocabularyPath: protocol.link.path,
    relation: protocol.link.relation,
    allowOrigin: protocol.allowOrigin,
    origins: protocol.allowOrigin === '*' ? 'every origin' : `the origin ${protocol.allowOrigin}`,
    challengeStatus: String(challenge.status),
    challengeMember: memberOf(challenge.body),
    exchangeStatus: String(exchange.status),
    exchangeMember: memberOf(exchange.body),
    scheme: challenge.scheme,
    realm: challenge.realm,
    nonceShape: challenge.nonceWords,
    noncePattern: challenge.noncePattern.source,
    tokenShape: exchange.tokenWords,
    tokenPattern: exchange.tokenPattern.source,
    errorKey: errorKeyWords(protocol.errorKeyForm),
    errorExample: JSON.stringify(protocol.errorKeyForm.replace('*', '404')),
    lifetime: durationWords(protocol.token.lifetimeMs),
    ...Object.fromEntries(Object.entries(headers).map(([name, header]) => [`${name}Header`, header])),
  };
}

function memberOf(body: object): string {
  return Object.entries(body).map(([key, message]) => `${JSON.stringify(key)}: ${JSON.stringify(message)}`)[0] as string;
}

function errorKeyWords(form: string): string {
  if (form === '*') return 'the status code';
  return form.includes('*')
    ? `the status code in the form ${JSON.stringify(form.replace('*', '404'))}`
    : `the word ${JSON.stringify(form)}`;
}

/** Puts the literals of the protocol into prose, so that it never repeats them. */
export function fillIn(document: Json, protocol: Protocol, file: string): Json {
  const words = wordsOf(protocol);
  const into = (value: Json, place: readonly string[]): Json => {
    if (typeof value === 'string') {
      return value.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const known = Object.keys(words).join(', ');
        const word = words[name];
        if (word === undefined) throw new SpecError(file, pointerText(place), `there is no literal {{${name}}}; there are ${known}`);
        return word;
      });
    }
    if (Array.isArray(value)) return value.map((each: Json, index) => into(each, [...place, String(index)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, into(each, [...place, name])]));
  };
  return into(document, []);
}
