import { count } from '../../spec/index.js';

export interface KnownUser {
  readonly id: string;
  readonly paraphrase: string;
}

const shownIdCharacters = 40;

/** An Authorization value by its form: "Basic <id 1.0 and the right paraphrase>". Nothing of a paraphrase is in it. */
export function credentialWords(value: string, scheme: string, users: readonly KnownUser[]): string {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(value) ?? [];
  const isScheme = ['', scheme, `x${scheme}`, 'bearer', 'digest'].some((each) => each.toLowerCase() === word.toLowerCase());
  if (rest === '') return isScheme ? value : `<${count(value.length, 'character')} without a blank>`;
  return `${isScheme ? word : `<${count(word.length, 'character')}>`} <${pairWords(rest.trim(), users)}>`;
}

function pairWords(coded: string, users: readonly KnownUser[]): string {
  const octets = Buffer.from(coded, 'base64');
  if (octets.toString('base64').replace(/=+$/, '') !== coded.replace(/=+$/, ''))
    return `${count(coded.length, 'character')}, which are not base64`;
  const colon = octets.indexOf(':');
  if (colon < 0) return `base64 of ${count(octets.length, 'octet')} without a colon`;
  const id = octets.toString('utf8', 0, colon);
  return `${idWords(id, users)} and ${paraphraseWords(id, octets.subarray(colon + 1), users)}`;
}

function idWords(id: string, users: readonly KnownUser[]): string {
  if (id === '') return 'no id';
  const isSecret = users.some(({ paraphrase }) => id === paraphrase || (paraphrase.length > 2 && id.includes(paraphrase)));
  return isSecret || !/^[ -~]+$/.test(id) || id.length > shownIdCharacters
    ? `an id of ${count(id.length, 'character')}`
    : `id ${/^[-+.\w]+$/.test(id) ? id : JSON.stringify(id)}`;
}

function paraphraseWords(id: string, octets: Buffer, users: readonly KnownUser[]): string {
  if (octets.length === 0) return 'no paraphrase';
  const isOf = ({ paraphrase }: KnownUser) => octets.equals(Buffer.from(paraphrase)) || octets.equals(Buffer.from(paraphrase, 'latin1'));
  const owners = users.filter(isOf);
  const [owner] = owners;
  if (owner === undefined) return `a paraphrase of ${count(octets.length, 'octet')}, which nobody has`;
  // Another spelling of the same integer is meant for the same user.
  const isRight = owners.some((user) => user.id === id || (/^\s*[-+]?\d+(\.0*)?\s*$/.test(id) && Number(user.id) === Number(id)));
  return isRight ? 'the right paraphrase' : `the paraphrase of user ${owner.id}`;
}
