import { readFileSync } from 'node:fs';
import { type Level, packageFile, type Spec } from '../../../spec/index.js';

/** What the page must know beforehand: the protocol's own words, and the requirements that it cites. */
export interface LiveFacts {
  /** Of the kit. */
  readonly version: string;
  /** The base URL of the reference server. */
  readonly url: string;
  readonly collections: readonly string[];
  readonly protocol: {
    readonly headers: { readonly authorization: string; readonly nonce: string; readonly token: string };
    readonly scheme: string;
    readonly lifetimeMs: number;
    readonly challengeStatus: number;
  };
  /** By number: what rules 1 to 4 of the source say. */
  readonly rules: Readonly<Record<string, string>>;
  /** By id: level and text. */
  readonly requirements: Readonly<Record<string, { readonly level: Level; readonly text: string }>>;
}

export function liveFacts(spec: Spec, url: string, collections: readonly string[]): LiveFacts {
  const { headers, challenge, token } = spec.protocol;
  const rules = spec.catalogue.sources.flatMap(({ says }) => {
    const [, number, text] = /^Rule ([1-4]): (.+)$/.exec(says) ?? [];
    return number === undefined || text === undefined ? [] : [[number, capital(text)]];
  });
  return {
    version: JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version,
    url,
    collections,
    protocol: {
      headers: { authorization: headers.authorization, nonce: headers.nonce, token: headers.token },
      scheme: challenge.scheme,
      lifetimeMs: token.lifetimeMs,
      challengeStatus: challenge.status,
    },
    rules: Object.fromEntries(rules),
    requirements: Object.fromEntries(
      spec.catalogue.rows.map((row) => [row.id, { level: row.level, text: row.level === 'OPEN' ? row.question : row.statement }]),
    ),
  };
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
