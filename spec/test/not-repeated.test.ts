import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../index.js';
import { repetitions } from './repetitions.js';

function sources(folder: string): string[] {
  return readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter(
      (file) => /\.ts$|[/\\]browser[/\\].*\.js$/.test(file) && !file.split(/[/\\]/).includes('test') && !file.includes('node_modules'),
    );
}

/** Where a word is not the protocol's but HTTP's or Hydra's own, or a name in our code. A folder ends with a slash; without literals, any. */
const elsewhere: readonly { readonly file: string; readonly literals?: readonly string[]; readonly because: string }[] = [
  { file: 'spec/generated/', because: 'it is written from the document' },
  { file: 'conformance/reference-client/generated/', because: 'it is written from the document, for browsers' },
  { file: 'spec/protocol.ts', literals: ['Link', 'Date'], because: 'it is what we call a literal or a component of the document' },
  { file: 'spec/possible.ts', literals: ['application/ld+json'], because: 'it is the example in a complaint' },
  { file: 'fixtures/faults/headers.ts', literals: ['Date', 'Link'], because: 'it is how the protocol calls the header, whatever its name' },
  { file: 'fixtures/faults/off.ts', literals: ['Link'], because: 'it is how the protocol calls the header, whatever its name' },
  { file: 'fixtures/variants/messages.ts', literals: ['Link'], because: 'it is how the protocol calls the header, whatever its name' },
  { file: 'fixtures/clients/', because: 'clients are written by hand, as people write them for the own profile' },
  { file: 'fixtures/hapi-app/', because: 'it is an application as people write them' },
  { file: 'fixtures/hostile/', because: 'bad targets are written by hand, octet by octet, and judged by the own profile alone' },
  { file: 'bench/servers.ts', literals: ['Date', 'Content-Length'], because: 'HTTP writes them into every answer' },
  { file: 'conformance/wire/framing.ts', literals: ['Content-Length'], because: 'HTTP ends a message by it' },
  { file: 'conformance/wire/request.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  { file: 'conformance/wire/patience.ts', literals: ['Date'], because: 'HTTP measures Retry-After by it' },
  { file: 'conformance/report/chain.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  { file: 'conformance/run/validate-options.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  {
    file: 'reference-server/parts/answers.ts',
    literals: ['Date', 'Link'],
    because: 'Node.js writes a date, and HTTP allows several links',
  },
  { file: 'conformance/expect/contexts/hydra.ts', literals: ['Link'], because: 'it is a class of the Hydra vocabulary' },
  { file: 'conformance/client/proxy.ts', literals: ['Content-Length'], because: 'it frames what is passed on, as HTTP says' },
  { file: 'conformance/client/upstream.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  { file: 'conformance/client/stage.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  { file: 'conformance/clock/bridge.ts', literals: ['Content-Length'], because: 'it is that of a request' },
  {
    file: 'reference-server/http.ts',
    literals: ['401'],
    because: 'it is what HTTP calls the status; the control listener answers with it',
  },
  { file: 'reference-server/request-body.ts', literals: ['Content-Length'], because: 'it is that of a request' },
];

function isElsewhere(file: string, literal: string): boolean {
  return elsewhere.some(
    (each) =>
      (each.file.endsWith('/') ? file.startsWith(join(each.file)) : join(each.file) === file) &&
      (each.literals === undefined || each.literals.includes(literal)),
  );
}

describe('the literals of the protocol have one home', () => {
  test.each(['spec', 'reference-server', 'conformance', 'fixtures', 'bench'])('and %s/ repeats none', (folder) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) =>
      repetitions(readFileSync(packageFile(file), 'utf8'))
        .filter(({ literal }) => !isElsewhere(file, literal))
        .map(({ line, literal, text }) => `${file}:${line} repeats ${literal}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});

describe('a repetition is seen', () => {
  test.each([
    ["const name = 'X-Authentication';", 'X-Authentication'],
    ['const realm = `Basic realm="Login required"`;', 'Login required'],
    [`const line = \`www-authenticate: \${value}\`;`, 'WWW-Authenticate'],
    ["const message = { a: 'User token generated' };", 'User token generated'],
    ["send('application/ld+json; charset=utf-8');", 'application/ld+json'],
    ["const relation = 'https://www.w3.org/ns/hydra/core#apiDocumentation';", 'www.w3.org/ns/hydra/core#apiDocumentation'],
    ["const path = base + '/vocab';", '/vocab'],
    ["if (name === 'date') return;", 'Date'],
    ['response.code(401);', '401'],
    ["const body = { '401': text };", '401'],
    ['const lifetimeMs = 2_700_000;', '2700000'],
    ['const lifetimeMs = 45 * 60 * 1000;', '45 minutes'],
    ['const later = [15 * minute, 45 * minute];', '45 minutes'],
    ["const lifetime = 'PT45M';", 'PT45M'],
    ['const isToken = /^[0-9A-Fa-f]+$/;', '/^[0-9A-Fa-f]+$/'],
  ])('in %s', (code, literal) => {
    expect(repetitions(code).map((each) => each.literal)).toEqual([literal]);
  });

  test.each([
    "const text = 'a link to the date';",
    "const id = 'challenge.www-authenticate';",
    '// X-Authentication: 401',
    'const status = 200;',
    'const spins = 45 * 2;',
  ])('and not in %s', (code) => {
    expect(repetitions(code)).toEqual([]);
  });
});
