import { isUtf8 } from 'node:buffer';
import { count } from '../../../spec/index.js';
import type { Act, Traffic } from '../traffic/index.js';

type Told = Pick<Traffic, 'protocol' | 'user'>;

export const isBasic = ({ authorization = '' }: Act, { protocol }: Told) =>
  authorization.split(/\s/)[0]?.toLowerCase() === protocol.challenge.scheme.toLowerCase();

/** Credentials by themselves. Where a challenge waits they answer it; otherwise the client sends them unasked. */
export const isBare = (act: Act, told: Told) => isBasic(act, told) && act.nonce === undefined && act.token === undefined;

export const credentialsShape = ({ protocol }: Told) => `${protocol.challenge.scheme} and base64 of id, colon and paraphrase`;

/** The text of the credentials, or why nobody can read it. */
export function readCredentials(act: Act, told: Told): { readonly octets: Buffer; readonly text: string; readonly flaw?: string } {
  const { scheme } = told.protocol.challenge;
  const base64 = (act.authorization ?? '').slice(scheme.length).trim();
  const octets = Buffer.from(base64, 'base64');
  const text = octets.toString(isUtf8(octets) ? 'utf8' : 'latin1');
  if (!isBasic(act, told)) return { octets, text, flaw: `an Authorization without the scheme ${scheme}` };
  if (octets.toString('base64') !== base64)
    return { octets, text, flaw: `${count(base64.length, 'character')} that are no base64 in the standard alphabet with its padding` };
  return text.includes(':') ? { octets, text } : { octets, text, flaw: 'base64 of a text without a colon' };
}

/** What is wrong with credentials that can be read, in words that do not repeat them. */
export function wrongPair(act: Act, told: Told): string | undefined {
  const { octets, text } = readCredentials(act, told);
  const { id, paraphrase = '' } = told.user ?? {};
  if (!isUtf8(octets)) return 'a paraphrase that is not encoded in UTF-8';
  if (text === `${id}:${paraphrase}`) return undefined;
  const colon = text.indexOf(':');
  if (text.slice(0, colon) !== String(id)) return 'another text before the first colon than the id';
  return text.slice(colon + 1).trim() === paraphrase.trim()
    ? 'a paraphrase with blanks or a line feed around it that are not its own'
    : 'another paraphrase than the one that the client was given';
}
