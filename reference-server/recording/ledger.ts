import type { IncomingHttpHeaders } from 'node:http';
import { defaultParts, type PartsContext } from '../parts/index.js';
import type { TokenRecord } from '../stores/index.js';
import type { User } from '../users.js';

/** A token that was issued. Its text stays in this process. */
export interface KnownToken {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** With the life that it should have, whatever a fault makes of it. */
  readonly record: TokenRecord;
}

const kept = 10_000;
/** A shorter secret stands in other words by chance. */
const leastCharacters = 8;
const word = new RegExp(`(?:[\\w.~:-]|%[2-7][0-9a-f]){${leastCharacters},}`, 'gi');

/** A word without the percent-encodings that it does not need. */
const plain = (text: string) =>
  text.replace(/%(..)/g, (all, hex) => {
    const character = Buffer.from(hex, 'hex').toString();
    return /[\w.~:-]/.test(character) ? character : all;
  });

/** A text as it is, and with any of its characters percent-encoded or, as a form does with blanks, as plus signs. */
function written(text: string): RegExp {
  const forms = Array.from(text, (character) => {
    const octets = Buffer.from(character).toString('hex').replace(/../g, '%$&');
    return `(?:${character.replace(/\W/g, '\\$&')}|${octets}${character === ' ' ? '|\\+' : ''})`;
  });
  return new RegExp(forms.join(''), 'gi');
}

/** What recording knows beside the store: the last tokens with their numbers, the nonces that a test has ended, and what users keep secret. */
export class Ledger {
  readonly endedNonces = new Set<number>();
  readonly #tokens = new Map<string, KnownToken>();
  readonly #lengths = new Set<number>();
  readonly #secrets = new Map<string, readonly [form: RegExp, what: string]>();
  #issued = 0;

  keep(text: string, record: TokenRecord): KnownToken {
    const known = { number: this.#tokens.get(text)?.number ?? ++this.#issued, text, record };
    this.#tokens.set(text, known);
    if (text.length >= leastCharacters) this.#lengths.add(text.length);
    if (this.#tokens.size > kept) this.#tokens.delete(this.#tokens.keys().next().value as string);
    return known;
  }

  token(text: string): KnownToken | undefined {
    return this.#tokens.get(text);
  }

  /** The paraphrase of a user, and the pair of both as it is sent, are shown as what they are from now on. */
  hide({ id, paraphrase }: User): void {
    const pair = Buffer.from(`${id}:${paraphrase}`).toString('base64').replace(/=+$/, '');
    for (const [secret, what] of [
      [paraphrase, 'paraphrase'],
      // As Node.js reads it in a header, octet by octet.
      [Buffer.from(paraphrase).toString('latin1'), 'paraphrase'],
      [pair, 'credentials'],
    ] as const)
      if (secret.length >= leastCharacters) this.#secrets.set(secret, [written(secret), `[${what} of user ${id}]`]);
  }

  /** A text in which secrets may stand where they do not belong, such as a query, with what they are in their place. */
  shown(text: string): string {
    // One may be the beginning of another.
    const longestFirst = [...this.#secrets].sort(([one], [other]) => other.length - one.length);
    const hidden = longestFirst.reduce((all, [, [form, what]]) => all.replace(form, what), text);
    return hidden.replace(word, (found) => {
      const shown = this.#shownWord(plain(found));
      return shown === plain(found) ? found : shown;
    });
  }

  #shownWord(text: string): string {
    for (const length of this.#lengths)
      for (let at = 0; at + length <= text.length; at++) {
        const piece = text.slice(at, at + length);
        const known = this.#tokens.get(piece) ?? this.#tokens.get(piece.toLowerCase());
        if (known) return `${this.#shownWord(text.slice(0, at))}[token ${known.number}]${this.#shownWord(text.slice(at + length))}`;
      }
    return text;
  }

  /** Those with a larger number, oldest first. */
  tokens(after = 0): readonly KnownToken[] {
    return after >= this.#issued ? [] : [...this.#tokens.values()].filter(({ number }) => number > after);
  }

  endNonce(number: number): void {
    this.endedNonces.add(number);
    if (this.endedNonces.size > kept) this.endedNonces.delete(this.endedNonces.values().next().value as number);
  }

  clear(): void {
    this.#tokens.clear();
    this.endedNonces.clear();
  }
}

/** What a request brings, and the step that it asks for so, whether it gets there or not. A token counts first. */
export const broughtStates = {
  nothing: 'A',
  'valid token': 'C',
  'expired token': 'C',
  'unknown token': 'C',
  'nonce and credentials': 'B',
  'incomplete credentials': 'A',
} as const;

/** What is known, at the time, of what a request brings. */
export interface Brought {
  readonly state: keyof typeof broughtStates;
  readonly token: KnownToken | undefined;
  /** The user whom the credentials name. */
  readonly named: number | 'malformed' | 'nobody' | undefined;
  /** Whose token it is, or else whom the credentials name. */
  readonly user: number | undefined;
}

export type BroughtBy = (request: { readonly headers: IncomingHttpHeaders }) => Brought;

export function bringing(context: PartsContext, ledger: Ledger, ids: ReadonlySet<number>): BroughtBy {
  const { token, nonce, authorization } = context.spec.protocol.headers;
  const [tokenName, nonceName, authorizationName] = [token.toLowerCase(), nonce.toLowerCase(), authorization.toLowerCase()];
  const { credentials } = defaultParts(context);

  const nameIn = (authorization: string): Brought['named'] => {
    const { id } = credentials.read(authorization) ?? {};
    if (id === undefined) return 'malformed';
    return String(Number(id)) === id && ids.has(Number(id)) ? Number(id) : 'nobody';
  };
  return ({ headers }) => {
    const { [tokenName]: token, [nonceName]: nonce, [authorizationName]: authorization } = headers;
    const known = typeof token === 'string' ? ledger.token(token) : undefined;
    const named = typeof authorization === 'string' ? nameIn(authorization) : undefined;
    const user = known?.record.user ?? (typeof named === 'number' ? named : undefined);
    const brought = { token: known, named, user };
    if (known !== undefined) return { ...brought, state: known.record.expiresAtMs > context.clock.now() ? 'valid token' : 'expired token' };
    if (token !== undefined) return { ...brought, state: 'unknown token' };
    if (nonce === undefined && authorization === undefined) return { ...brought, state: 'nothing' };
    const isHalf = nonce === undefined || authorization === undefined;
    return { ...brought, state: isHalf ? 'incomplete credentials' : 'nonce and credentials' };
  };
}
