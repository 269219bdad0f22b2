import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, type Spec } from '../../../spec/index.js';

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** The live page. It is served as it is written: the browser loads its modules, and nothing of another origin. */
export function makePage(spec: Spec, url: string, collections: readonly string[]) {
  const loads = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${new URL(url).origin}; img-src data:`;
  const policy = `${loads}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const file = (name: string) => {
    const path = packageFile('reference-server', 'control', 'page', 'browser', name);
    return { type: `${types[name.slice(name.lastIndexOf('.') + 1)]}; charset=utf-8`, body: readFileSync(path), policy };
  };
  const facts = Buffer.from(JSON.stringify(liveFacts(spec, url, collections)));

  return (path: string) => {
    if (path === '/') return file('live.html');
    if (path === '/page/facts.json') return { type: 'application/json', body: facts, policy };
    const name = /^\/page\/((?:[a-z-]+\/)?[a-z-]+\.(?:js|css))$/.exec(path)?.[1];
    try {
      return name === undefined ? undefined : file(join(name));
    } catch {
      return undefined; // there is no such file
    }
  };
}

/** What the page must know beforehand: the protocol's own words, and the requirements that it cites. */
export type LiveFacts = Readonly<ReturnType<typeof liveFacts>>;

function liveFacts({ protocol, catalogue }: Spec, url: string, collections: readonly string[]) {
  const { headers, challenge } = protocol;
  const rules = catalogue.sources.flatMap(({ says }): [string, string][] => {
    const [, number, first, rest] = /^Rule ([1-4]): (.)(.+)$/.exec(says) ?? [];
    return number === undefined ? [] : [[number, `${first?.toUpperCase()}${rest}`]];
  });
  const requirements = catalogue.rows.map(
    (row) => [row.id, { level: row.level, text: row.level === 'OPEN' ? row.question : row.statement }] as const,
  );
  return {
    /** The base URL of the reference server, which "try it" calls. */
    url,
    collections,
    protocol: {
      headers: { authorization: headers.authorization, nonce: headers.nonce, token: headers.token },
      scheme: challenge.scheme,
      challengeStatus: challenge.status,
    },
    /** By number. */
    rules: Object.fromEntries(rules),
    requirements: Object.fromEntries(requirements),
  };
}
