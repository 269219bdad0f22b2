import type { Form } from './redact-index.js';

/** Shorter forms stand in every text. Replacing them would make a report unreadable. */
const leastCharacters = 3;
/** Shorter forms are parts of ordinary words, so they count only between word boundaries. */
const anywhereCharacters = 6;
/** The base64 of fewer octets is too short to be told from chance. */
const leastCodedOctets = 6;

const mostCharacters = 512;

const htmlNames: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Every spelling under which a secret may come back: as it is, escaped, encoded, or inside base64 of something longer. */
export function formsOf(secret: string): Form[] {
  // A target may give many long tokens; the beginning of one is enough to find it.
  if (secret.length > mostCharacters) return [{ text: secret.slice(0, mostCharacters), delimited: false, open: true }];
  const octets = Buffer.from(secret, 'utf8');
  // Most secrets of a run are tokens, which no escaping changes.
  if (isPlain(secret))
    return [secret, octets.toString('hex').replace(/../g, '%$&'), ...inBase64(octets), octets.toString('hex')].map(anywhere);
  const spellings = new Set<string>([secret, octets.toString('latin1'), ...escaped(secret), ...percent(secret, octets)]);
  const coded = new Set<string>();
  for (const each of [octets, ...latin1(secret)]) {
    if (each.length < leastCodedOctets) {
      spellings.add(each.toString('base64')).add(each.toString('base64url'));
    } else {
      coded.add(each.toString('hex'));
      for (const text of inBase64(each)) coded.add(text);
    }
  }
  return [
    ...[...spellings].map((text) => ({ text, delimited: text.length < anywhereCharacters })),
    ...[...coded].map((text) => ({ text, delimited: false })),
  ].filter((form) => form.text.length >= leastCharacters && !(secret.length < leastCharacters && form.text.length < anywhereCharacters));
}

/** A secret of letters and digits only. All its forms are single words. */
export function isPlain(secret: string): boolean {
  return secret.length <= mostCharacters && /^[0-9A-Za-z]{6,}$/.test(secret);
}

/** The length of the longest word in a text. */
export function longestWord(text: string): number {
  let longest = 0;
  for (const [word] of text.matchAll(/[0-9A-Za-z%+/_-]+/g)) longest = Math.max(longest, word.length);
  return longest;
}

const anywhere = (text: string): Form => ({ text, delimited: false });

function inBase64(octets: Buffer): string[] {
  return insideBase64(octets).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}

function escaped(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[^\x00-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const html = secret.replace(/[&<>"]/g, (each) => htmlNames[each] as string);
  return [
    json,
    json.replaceAll('/', '\\/'),
    ascii,
    ascii.replaceAll('/', '\\/'),
    ...['&#39;', '&#x27;', '&apos;', "'"].map((apostrophe) => html.replaceAll("'", apostrophe)),
  ];
}

/** Encoders differ in the characters that they leave alone. */
const leftAlone = [/[^A-Za-z0-9\-._~]/g, /[^A-Za-z0-9\-._~!'()*]/g, /[^A-Za-z0-9\-._*]/g, /[\s\S]/g];

function percent(secret: string, octets: Buffer): string[] {
  const coded = leftAlone.map((others) => octets.toString('latin1').replace(others, percentOctet));
  return [...coded, ...coded.map((text) => text.replaceAll('%20', '+')), secret.replaceAll(' ', '+')];
}

function percentOctet(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function latin1(secret: string): Buffer[] {
  return /^[\0-\xff]*$/.test(secret) && /[\x80-\xff]/.test(secret) ? [Buffer.from(secret, 'latin1')] : [];
}

/** The base64 of a secret inside a longer text. It depends on the place of the secret modulo three, so there are three. */
function insideBase64(octets: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), octets]).toString('base64');
    const begin = before === 0 ? 0 : before + 1;
    const spare = (before + octets.length) % 3;
    const end = spare === 0 ? text.length : text.length - (spare === 1 ? 3 : 2);
    return text.slice(begin, end);
  });
}
