import type { Protocol } from '../../spec/index.js';
import { createRedactor, pairIn, type Redactor } from '../evidence/index.js';
import { tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { type Exchange, type HeaderLine, headerValues } from '../wire/index.js';
import { StandIns } from './stand-ins.js';

export type Mask = ReturnType<typeof mask>;

/** A short value has few of its shape. */
const mostTurns = 100;
/** A shorter value of a cookie stands in other places by chance. */
const leastCookie = 6;
/** So long a paraphrase that opened nothing is taken for a person's own, written wrongly; shorter ones are ordinary words. */
const leastMistyped = 8;

/** The only form of a date that leaves no room for a word. */
const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** With these begins nothing that any content coding gives. */
const unreadable = Buffer.from([0xff, 0xff]);

/** Puts stand-ins in place of secrets. `secrets`: values of headers that the caller gave. */
export function mask(protocol: Protocol, users: readonly User[], secrets: readonly string[], publicTexts: readonly string[]) {
  // How long a recording may take to search is the recorder's to say.
  const redactor = createRedactor(protocol, publicTexts, Number.POSITIVE_INFINITY);
  const standIns = new StandIns();
  const { nonce, token, authorization, contentLength, date } = protocol.headers;
  const ours = new Set(Object.values(protocol.headers).map((name) => name.toLowerCase()));
  for (const { id, paraphrase } of users) redactor.user(id, paraphrase);
  for (const each of secrets) redactor.secret(each, 'secret');
  const text = (written: string) => redactor.rewritten(written, (each) => standIns.of(each));
  const cookie = (pair: string) => {
    const [begin = '', name = ''] = /^([^=]*)=?\s*"?/.exec(pair) ?? [];
    const end = pair.length > begin.length && pair.endsWith('"') ? '"' : '';
    const value = pair.slice(begin.length, pair.length - end.length);
    return text(name) + begin.slice(name.length) + (value && standIns.of(value)) + end;
  };

  const header = ([written, value]: HeaderLine): HeaderLine => {
    const lower = written.toLowerCase();
    const name = ours.has(lower) ? written : text(written);
    const carries = (wanted: string) => lower === wanted.toLowerCase() || lower.endsWith(`-${wanted.toLowerCase()}`);
    if (carries(nonce) || carries(token)) return [name, standIns.of(value)];
    if (carries(authorization)) return [name, credentials(value, protocol.challenge.scheme, standIns, text)];
    if (lower === 'cookie') return [name, value.split(';').map(cookie).join(';')];
    if (lower === 'set-cookie') return [name, value.replace(/^[^;]*/, cookie).replace(/;.*$/s, text)];
    // A number or a date may look like a short token.
    const isPlain = (lower === contentLength.toLowerCase() && /^\d+$/.test(value)) || (lower === date.toLowerCase() && imfDate.test(value));
    return isPlain ? [name, value] : [name, text(value)];
  };

  return {
    header,
    user: ({ id, paraphrase }: User): User => ({ id, paraphrase: standIns.of(paraphrase) }),
    text,
    /** In place of octets that cannot be read: others that cannot be, the same ones each time. */
    sealed: (octets: Buffer) => Buffer.concat([unreadable, standIns.digest(octets)]),
    /** A sentence of the kit, of which only what came from the target is masked. */
    sentence: redactor.sentence,
    /** All are to be learnt before the first text is masked. */
    learn: (exchange: Exchange) => learnSecrets(exchange, protocol, redactor),
  };
}

type Lines = Pick<Exchange['request'], 'headers'>;
interface Spoken {
  readonly request: Lines;
  readonly answer?: Lines | undefined;
}

/** Tells a redactor the secrets of an exchange, whoever opened what with them. */
export function learnSecrets({ request, answer }: Spoken, protocol: Protocol, redactor: Redactor): void {
  const { token, authorization } = protocol.headers;
  const given = answer && tokenOf(answer, protocol);
  for (const value of headerValues(request, authorization)) {
    // By itself, too, whatever scheme stands before it.
    for (const each of [value, value.replace(/^\S+\s+/, '')]) redactor.secret(each, 'credentials');
    const { id = '', paraphrase = '' } = pairIn(value) ?? {};
    if (paraphrase !== '' && (given !== undefined || paraphrase.length >= leastMistyped)) redactor.user(id, paraphrase);
  }
  for (const each of [request, answer ?? []].flat()) for (const value of headerValues(each, token)) redactor.token(value);
  const pairs = [
    ...headerValues(request, 'cookie').flatMap((line) => line.split(';')),
    ...(answer === undefined ? [] : headerValues(answer, 'set-cookie').map((line) => line.split(';')[0] ?? '')),
  ];
  for (const pair of pairs) {
    const value = pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"|"$/g, '');
    if (value.length >= leastCookie) redactor.secret(value, 'cookie');
  }
}

/** Credentials stay what they were: of the same user and scheme, as well or as badly written, right or wrong. */
function credentials(value: string, scheme: string, standIns: StandIns, text: (text: string) => string): string {
  const [, written = '', blanks = '', given = ''] = /^(\S*)(\s*)(.*)$/s.exec(value) ?? [];
  if (written.toLowerCase() !== scheme.toLowerCase())
    return given === '' ? standIns.of(value) : `${text(written)}${blanks}${standIns.of(given)}`;
  const letters = given.replace(/[^A-Za-z0-9+/]/g, '');
  const octets = Buffer.from(letters, 'base64');
  const utf8 = octets.toString();
  const isUtf8 = Buffer.from(utf8).equals(octets);
  const read = isUtf8 ? utf8 : octets.toString('latin1');
  const colon = read.indexOf(':');
  const id = read.slice(0, Math.max(0, colon));
  // Whatever is not base64 of a pair may be the secret itself; afterwards it is one no more than before.
  if (colon < 0 || (!isUtf8 && /[^\0-\x7f]/.test(id))) {
    let hidden = standIns.of(given);
    for (let turn = 0; turn < mostTurns && Buffer.from(hidden, 'base64').includes(':') !== colon >= 0; turn++) hidden = standIns.of(hidden);
    return `${written}${blanks}${hidden}`;
  }
  const pair = `${/[^\0-\x7f]/.test(id) ? standIns.of(id) : text(id)}:${standIns.of(read.slice(colon + 1))}`;
  const made = Buffer.from(pair, isUtf8 ? 'utf8' : 'latin1').toString('base64');
  // What is not base64 stands where it stood.
  let at = 0;
  const inPlace = given.replace(/[A-Za-z0-9+/]/g, () => made.charAt(at++));
  return `${written}${blanks}${inPlace}`;
}
