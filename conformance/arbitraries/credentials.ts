import type { User } from '../options.js';
import { type NearMiss, oddOctet } from './near-miss.js';

export function basic(scheme: string, id: string, paraphrase: string, encoding: BufferEncoding = 'utf8'): string {
  return `${scheme} ${Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64')}`;
}

/** Ids that name no user, each of another kind. `taken` are the ids of real users. */
export function wrongIds(id: string, taken: readonly string[]): NearMiss[] {
  let free = 1_000_003;
  while (taken.includes(String(free))) free += 1;
  return [
    { value: String(free), how: 'an id that nobody has' },
    { value: '', how: 'an empty id' },
    { value: `${id}abc`, how: 'letters behind the id' },
    { value: `abc${id}`, how: 'letters in front of the id' },
    { value: `${id}.4`, how: 'a fraction' },
    { value: `${id}\nx`, how: 'a line end and more behind the id' },
    { value: `-${id === '0' ? '1' : id}`, how: 'the id negated' },
    { value: `${id}0000000`, how: 'zeros behind the id' },
    { value: 'admin', how: 'a name' },
    { value: '\u00b2', how: 'a digit that is no number' },
    { value: '*', how: 'an asterisk' },
    { value: '%', how: 'a percent sign' },
    { value: `${id}' OR '1'='1`, how: 'an SQL condition behind the id' },
    { value: String(BigInt(id) + 2n ** 32n), how: 'the id and 2 to the 32nd' },
    { value: String(BigInt(id) + 2n ** 64n), how: 'the id and 2 to the 64th' },
  ].filter((each) => !taken.includes(each.value));
}

/** Paraphrases that a look-up of an unknown id may be equal to where it finds nothing. */
export const nobodysParaphrases = ['', 'undefined', 'null', 'None', '0', 'false'] as const;

/** The credentials of a user with their colon one character further on, or back: joined without it they are the same. */
export function movedColon({ id, paraphrase }: User, where: 'on' | 'back'): User {
  const [first = ''] = paraphrase;
  return where === 'on'
    ? { id: `${id}${first}`, paraphrase: paraphrase.slice(first.length) }
    : { id: id.slice(0, -1), paraphrase: `${id.slice(-1)}${paraphrase}` };
}

/** The same integer in another spelling: accepted, it is loose, not wrong. */
export function looseIds(id: string): NearMiss[] {
  return [
    { value: `0${id}`, how: 'a zero in front' },
    { value: `+${id}`, how: 'a plus in front' },
    { value: ` ${id}`, how: 'a blank in front' },
    { value: `${id} `, how: 'a blank behind' },
    { value: `${id}.0`, how: 'a fraction of zero' },
  ];
}

/** The right credentials with characters that base64 does not have: accepted, they are loosely decoded. */
export function looseBase64(scheme: string, user: User): NearMiss[] {
  const right = basic(scheme, user.id, user.paraphrase);
  const within = scheme.length + 5;
  return [
    { value: `${right}*!`, how: 'other characters after their base64' },
    { value: `${right.slice(0, within)}*${right.slice(within)}`, how: 'another character within their base64' },
  ];
}

/** Authorization values that are no Basic credentials, each with the right ones hidden in it where that is possible. */
export function malformedAuthorizations(scheme: string, user: User): NearMiss[] {
  const octets = Buffer.from(`${user.id}:${user.paraphrase}`);
  const right = octets.toString('base64');
  const encode = (text: string) => Buffer.from(text).toString('base64');
  return [
    { value: scheme, how: 'the scheme alone' },
    { value: right, how: 'no scheme' },
    { value: `${scheme}${right}`, how: 'no blank after the scheme' },
    { value: `Bearer ${right}`, how: 'another scheme' },
    { value: `X${scheme} ${right}`, how: 'a letter in front of the scheme' },
    { value: `${scheme} ${user.id}:${user.paraphrase.replace(/[^ -~]/gu, '?')}`, how: 'no base64' },
    { value: `${scheme} ${encode(user.id)}`, how: 'no colon and no paraphrase' },
    { value: `${scheme} ${encode('7340232')}`, how: 'an id that nobody has, no colon and no paraphrase' },
    {
      value: `${scheme} ${encode(`${user.id} ${user.paraphrase}`)}`,
      how: 'a blank for the colon',
      isMoot: user.paraphrase.includes(':'),
    },
    { value: `${scheme} ${encode(`${user.paraphrase}:${user.id}`)}`, how: 'id and paraphrase swapped' },
    { value: `${scheme} ${encode(encode(`${user.id}:${user.paraphrase}`))}`, how: 'base64 twice' },
    { value: `${scheme} ====`, how: 'base64 of padding only' },
    { value: `${scheme} %%%`, how: 'characters outside base64' },
    { value: `${scheme} ${encode(':')}`, how: 'a colon alone' },
    { value: `${scheme} /////w==`, how: 'octets that are not UTF-8' },
    {
      value: `${scheme} ${Buffer.concat([octets, Buffer.of(0xff)]).toString('base64')}`,
      how: 'an octet that is not UTF-8 behind the paraphrase',
    },
    { value: `Digest username="${user.id}", realm="x", nonce="x", uri="/", response="x"`, how: 'Digest with parameters' },
    { value: `${scheme} realm="x"`, how: 'a parameter for the credentials' },
    { value: `${scheme} ${oddOctet}`, how: 'an octet outside ASCII' },
  ];
}
