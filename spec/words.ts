import { isObject, type Json, pointerText, SpecError } from './document.js';
import { durationWords } from './duration.js';
import type { Protocol } from './protocol.js';

/** The literals of a protocol as the prose of the catalogue names them, each as {{name}}. */
function wordsOf({ headers, challenge, exchange, ...protocol }: Protocol): Readonly<Record<string, string>> {
  return {
    mediaType: protocol.mediaType,
    vocabularyPath: protocol.link.path,
    vocabularyName: protocol.link.path.slice(1),
    relation: protocol.link.relation,
    allowOrigin: protocol.allowOrigin,
    origins: protocol.allowOrigin === '*' ? 'every origin' : `the origin ${protocol.allowOrigin}`,
    challengeStatus: String(challenge.status),
    ...bodyWords('challenge', challenge.body),
    exchangeStatus: String(exchange.status),
    ...bodyWords('exchange', exchange.body),
    scheme: challenge.scheme,
    realm: challenge.realm,
    realmParameter: challenge.authenticate.slice(challenge.scheme.length + 1),
    datePattern: protocol.datePattern.source,
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

function bodyWords(step: string, body: object): Readonly<Record<string, string>> {
  const [key, message] = Object.entries(body)[0] as [string, string];
  return { [`${step}Key`]: key, [`${step}Message`]: message, [`${step}Member`]: `${JSON.stringify(key)}: ${JSON.stringify(message)}` };
}

/** A word as it stands inside a regular expression, or as a text of JSONPath. */
const forms: Readonly<Record<string, (word: string) => string>> = {
  regex: (word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  quoted: (word) => `'${word.replace(/['\\]/g, '\\$&')}'`,
};

function errorKeyWords(form: string): string {
  if (form === '*') return 'the status code';
  return form.includes('*')
    ? `the status code in the form ${JSON.stringify(form.replace('*', '404'))}`
    : `the word ${JSON.stringify(form)}`;
}

/** Puts the literals of the protocol into prose, so that it never repeats them. */
export function fillIn(document: Json, protocol: Protocol, file: string, more: Readonly<Record<string, string>> = {}): Json {
  const words = { ...wordsOf(protocol), ...more };
  const into = (value: Json, place: readonly string[]): Json => {
    if (typeof value === 'string') {
      return value.replace(/\{\{(?:(regex|quoted) )?(\w+)\}\}/g, (_, form: string | undefined, name: string) => {
        const known = Object.keys(words).join(', ');
        const word = words[name];
        if (word === undefined) throw new SpecError(file, pointerText(place), `there is no literal {{${name}}}; there are ${known}`);
        return form === undefined ? word : (forms[form]?.(word) as string);
      });
    }
    if (Array.isArray(value)) return value.map((each: Json, index) => into(each, [...place, String(index)]));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, into(each, [...place, name])]));
  };
  return into(document, []);
}
