import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, type Spec } from '../../../spec/index.js';
import { liveFacts } from './facts.js';

interface PageGiven {
  readonly spec: Spec;
  /** The base URL of the reference server, which "try it" calls. */
  readonly url: string;
  readonly collections: readonly string[];
}

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** The Content-Security-Policy to send with it. */
  readonly policy: string;
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** The live page. It is served as it is written: the browser loads its modules, and nothing of another origin. */
export function makePage({ spec, url, collections }: PageGiven): (path: string) => PageFile | undefined {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${new URL(url).origin}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const file = (name: string): PageFile | undefined => {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    const path = packageFile('reference-server', 'control', 'page', 'browser', name);
    return type === undefined ? undefined : { type: `${type}; charset=utf-8`, body: readFileSync(path), policy };
  };
  const facts = Buffer.from(JSON.stringify(liveFacts(spec, url, collections)));

  return (path) => {
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
