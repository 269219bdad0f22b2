import type { Traffic } from './acts.js';
import type { LoggedRequest } from './log.js';

/** A shorter paraphrase may stand in a text by chance. */
const leastCharacters = 8;

export interface Secret {
  readonly name: 'paraphrase' | 'credentials' | 'token';
  readonly text: string;
}

/** What must not be seen by others: the paraphrase, the credentials made of it, and the tokens. */
export function secretsOf(
  user: { readonly id: number | string; readonly paraphrase: string } | undefined,
  tokens: readonly string[],
): Secret[] {
  const pair = (encoding: 'utf8' | 'latin1') => Buffer.from(`${user?.id}:${user?.paraphrase}`, encoding).toString('base64');
  const ofUser: Secret[] =
    user === undefined
      ? []
      : [
          { name: 'paraphrase', text: user.paraphrase },
          { name: 'paraphrase', text: encodeURIComponent(user.paraphrase) },
          ...(['utf8', 'latin1'] as const).map((encoding): Secret => ({ name: 'credentials', text: pair(encoding).replace(/=+$/, '') })),
        ];
  const ofTokens = tokens.map((text): Secret => ({ name: 'token', text }));
  return [...ofUser, ...ofTokens].filter(({ text }) => text.length >= leastCharacters);
}

/** The first secret that stands in a text. */
export function secretIn(text: string, secrets: readonly Secret[]): Secret | undefined {
  const lower = text.toLowerCase();
  return secrets.find((secret) => text.includes(secret.text) || (secret.name === 'token' && lower.includes(secret.text.toLowerCase())));
}

/** The pairs of id and paraphrase that a client was seen to log in with. */
export function credentialsIn({ acts }: Traffic): { id: string; paraphrase: string }[] {
  const pairs = new Map<string, { id: string; paraphrase: string }>();
  for (const { authorization = '' } of acts) {
    const text = Buffer.from(authorization.split(' ').at(-1) ?? '', 'base64').toString('utf8');
    const colon = text.indexOf(':');
    if (colon > 0) pairs.set(text, { id: text.slice(0, colon), paraphrase: text.slice(colon + 1) });
  }
  return [...pairs.values()];
}

/** A whole request as one text. */
export function wholeText({ received }: LoggedRequest): string {
  const { target, headers, body } = received;
  return [target, ...headers.map(([name, value]) => `${name}: ${value}`), body.toString('utf8')].join('\n');
}
