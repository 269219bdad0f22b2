import { SecretIndex } from '../../evidence/index.js';
import type { Act, GivenToken } from './acts.js';
import type { LoggedRequest } from './log.js';

/** A shorter paraphrase may stand in a text by chance. */
const leastCharacters = 8;

/** Whom a client was told to be, or was seen to be. */
export interface ClientUser {
  readonly id: number | string;
  readonly paraphrase: string;
}

/** What must not be seen by others. */
export interface Secrets {
  /** The name of a secret that stands in a text, as it is, escaped or coded: paraphrase, credentials, token. */
  in(text: string): string | undefined;
  readonly some: boolean;
}

/** Paraphrases, the credentials made of them, and tokens. */
export function secretsOf(users: readonly ClientUser[], tokens: readonly GivenToken[]): Secrets {
  const all = [
    ...users.map(({ paraphrase }) => ({ name: 'paraphrase', text: paraphrase })),
    ...users.flatMap(({ id, paraphrase }) =>
      (['utf8', 'latin1'] as const).map((encoding) => {
        const base64 = Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64');
        return { name: 'credentials', text: base64.replace(/=+$/, '') };
      }),
    ),
    ...tokens.map(({ value }) => ({ name: 'token', text: value })),
  ].filter(({ text }) => text.length >= leastCharacters);
  const index = new SecretIndex();
  for (const { name, text } of all) index.add(text, name);
  return { in: (text) => index.find(text)[0]?.label, some: all.length > 0 };
}

/** The pairs of id and paraphrase that a client was seen to log in with. */
export function credentialsIn(acts: readonly Act[]): ClientUser[] {
  const texts = acts.map(({ authorization = '' }) => Buffer.from(authorization.split(' ').at(-1) ?? '', 'base64').toString('utf8'));
  return [...new Set(texts)]
    .filter((text) => text.indexOf(':') > 0)
    .map((text) => ({ id: text.slice(0, text.indexOf(':')), paraphrase: text.slice(text.indexOf(':') + 1) }));
}

/** A whole request as one text. */
export function wholeText({ received }: LoggedRequest): string {
  const { target, headers, body } = received;
  return [target, ...headers.map(([name, value]) => `${name}: ${value}`), body.toString('utf8')].join('\n');
}
