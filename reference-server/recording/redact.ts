import type { Protocol } from '../../spec/index.js';
import type { HeaderLine } from '../parts/index.js';
import type { Ledger } from './ledger.js';
import type { NonceReader } from './nonces.js';
import type { Looked } from './witness.js';

const redacted = '[redacted]';

/** What may be a token within a text. */
const word = /[A-Za-z0-9._~:-]{8,}/g;

/** Puts in place of every secret what it is. */
export class Redactor {
  readonly #form: Readonly<Record<string, (value: string, looked: Looked | undefined) => string>>;

  constructor(
    { headers }: Protocol,
    readonly ledger: Ledger,
    readonly nonces: NonceReader,
  ) {
    this.#form = {
      [headers.token.toLowerCase()]: (value) => this.#numbered('token', this.ledger.token(value)?.number, value),
      [headers.nonce.toLowerCase()]: (value) => this.#numbered('nonce', this.nonces.read(value)?.number, value),
      [headers.authorization.toLowerCase()]: credentials,
      cookie: () => redacted,
      'set-cookie': () => redacted,
      'proxy-authorization': () => redacted,
    };
  }

  lines(lines: readonly HeaderLine[], looked?: Looked): readonly HeaderLine[] {
    return lines.map(([name, value]): HeaderLine => [name, this.#form[name.toLowerCase()]?.(value, looked) ?? this.text(value)]);
  }

  /** A text in which a token may stand where it does not belong, such as a query. */
  text(text: string): string {
    return text.replace(word, (found) => {
      const known = this.ledger.token(found);
      return known === undefined ? found : `[token ${known.number}]`;
    });
  }

  #numbered(what: string, number: number | undefined, value: string): string {
    return number === undefined ? `[unknown ${what}, ${value.length} characters]` : `[${what} ${number}]`;
  }
}

function credentials(value: string, looked: Looked | undefined): string {
  const scheme = /^[A-Za-z]{1,16}(?= )/.exec(value)?.[0] ?? '';
  const form = looked?.user === undefined ? `[${looked?.credentials ?? 'malformed'} credentials]` : `[credentials of user ${looked.user}]`;
  return `${scheme} ${form}`.trimStart();
}
