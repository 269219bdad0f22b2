import type { Act, GivenToken } from './acts.js';
import type { LoggedRequest } from './log.js';

/** A shorter paraphrase may stand in a text by chance. */
const leastCharacters = 8;

/** Whom a client was told to be, or was seen to be. */
export interface ClientUser {
  readonly id: number | string;
  readonly paraphrase: string;
}

export interface Secret {
  readonly name: 'paraphrase' | 'credentials' | 'token';
  readonly text: string;
}

/** What must not be seen by others: paraphrases, the credentials made of them, and tokens. */
export function secretsOf(users: readonly ClientUser[], tokens: readonly GivenToken[]): Secret[] {
  const ofUsers = users.flatMap(({ id, paraphrase }): Secret[] => [
    { name: 'paraphrase', text: paraphrase },
    { name: 'paraphrase', text: encodeURIComponent(paraphrase) },
    ...(['utf8', 'latin1'] as const).map((encoding): Secret => {
      const base64 = Buffer.from(`${id}:${paraphrase}`, encoding).toString('base64');
      return { name: 'credentials', text: base64.replace(/=+$/, '') };
    }),
  ]);
  const ofTokens = tokens.map(({ value }): Secret => ({ name: 'token', text: value }));
  return [...ofUsers, ...ofTokens].filter(({ text }) => text.length >= leastCharacters);
}

/** The first secret that stands in a text. */
export function secretIn(text: string, secrets: readonly Secret[]): Secret | undefined {
  const lower = text.toLowerCase();
  return secrets.find((secret) => text.includes(secret.text) || (secret.name === 'token' && lower.includes(secret.text.toLowerCase())));
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
