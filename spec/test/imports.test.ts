import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../index.js';
import { scratch } from './scratch.js';

interface Import {
  readonly from: string;
  readonly of: string;
  readonly allowed: boolean;
}

const imports: readonly Import[] = [
  { from: 'spec/load.ts', of: './source.js', allowed: true },
  { from: 'spec/load.ts', of: '../reference-server/index.js', allowed: false },
  { from: 'reference-server/parts/guard.ts', of: '../../spec/index.js', allowed: true },
  { from: 'reference-server/parts/guard.ts', of: '../../spec/protocol.js', allowed: false },
  { from: 'reference-server/parts/guard.ts', of: '../../conformance/index.js', allowed: false },
  { from: 'conformance/laws/token.ts', of: '../../reference-server/index.js', allowed: false },
  { from: 'conformance/run.ts', of: './cli/io.js', allowed: false },
  { from: 'conformance/reference-client/session.ts', of: '../wire/index.js', allowed: false },
  { from: 'conformance/reference-client/session.ts', of: '../../reference-server/index.js', allowed: false },
  { from: 'conformance/wire/head.ts', of: '../version.js', allowed: true },
  { from: 'conformance/wire/head.ts', of: '../evidence/index.js', allowed: false },
  { from: 'conformance/a-new-room/x.ts', of: '../../reference-server/index.js', allowed: false },
  { from: 'conformance/evidence/curl.ts', of: '../report/index.js', allowed: false },
  { from: 'conformance/expect/contexts/hydra.ts', of: '../../laws/index.js', allowed: false },
  { from: 'conformance/oracle/claims.ts', of: '../subject/index.js', allowed: false },
  { from: 'conformance/circumstances/query.ts', of: '../subject/index.js', allowed: false },
  { from: 'conformance/states/tokens.ts', of: '../combinations/index.js', allowed: false },
  { from: 'conformance/combinations/plan.ts', of: '../run/index.js', allowed: false },
  { from: 'conformance/laws/token.ts', of: '../subject/trial.js', allowed: false },
  { from: 'conformance/laws/token.ts', of: '../run/index.js', allowed: false },
  { from: 'conformance/postman/plan/token.ts', of: '../../expect/index.js', allowed: true },
  { from: 'conformance/report/html/page.ts', of: '../../run/index.js', allowed: false },
  { from: 'conformance/run/phases.ts', of: '../cli/io.js', allowed: false },
  { from: 'conformance/run/phases.ts', of: '../../fixtures/index.js', allowed: false },
  { from: 'conformance/client/run.ts', of: '../run/index.js', allowed: false },
  { from: 'conformance/client/stage.ts', of: '../../reference-server/index.js', allowed: true },
  { from: 'conformance/client/stage.ts', of: '../wire/exchange.js', allowed: false },
  { from: 'conformance/client/stage.ts', of: '../laws/index.js', allowed: false },
  { from: 'conformance/self-test/row.ts', of: '../cli/text.js', allowed: false },
  { from: 'conformance/cli/commands/check.ts', of: '../../run/run.js', allowed: false },
  { from: 'conformance/laws/test/token.test.ts', of: '../../subject/trial.js', allowed: true },
  { from: 'conformance/cli/demo.ts', of: '../../reference-server/index.js', allowed: true },
  { from: 'fixtures/faults/one.ts', of: '../../reference-server/index.js', allowed: true },
  { from: 'fixtures/faults/one.ts', of: '../../reference-server/parts/nonces.js', allowed: false },
  { from: 'fixtures/faults/one.ts', of: '../../conformance/index.js', allowed: false },
];

const folder = scratch();

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string | { readonly file: string } };
}

/** The project's own lint rules on files of a scratch folder. */
async function lint(files: Readonly<Record<string, string>>): Promise<(category: string) => string[]> {
  cpSync(packageFile('biome.json'), join(folder, 'biome.json'));
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const biome = packageFile('node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const run = promisify(execFile)(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=none'], { cwd: folder });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return (category) =>
    diagnostics
      .filter((each) => each.category === category)
      .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file))
      .sort();
}

const circles = {
  'spec/circle/a.ts': "import { b } from './b.js';\n\nexport const a = () => b;\n",
  'spec/circle/b.ts': "import { a } from './a.js';\n\nexport const b = () => a;\n",
  'spec/types/a.ts': "import type { B } from './b.js';\n\nexport type A = { readonly b?: B };\n",
  'spec/types/b.ts': "import type { A } from './a.js';\n\nexport type B = { readonly a?: A };\n",
};

test('the linter lets imports point down only, and through the index of a folder, and finds circles, also of types', async () => {
  const named = imports.map((each, index) => ({ ...each, file: each.from.replace(/\.ts$/, `-${index}.ts`) }));
  const importing = named.map(({ file, of }) => [file, `import type { x } from '${of}';\n\nexport type Y = x;\n`]);
  const found = await lint({ ...Object.fromEntries(importing), ...circles });
  const refused = named.filter(({ allowed }) => !allowed).map(({ file }) => file);
  expect(found('lint/style/noRestrictedImports')).toEqual(refused.sort());
  expect(found('lint/suspicious/noImportCycles')).toEqual(Object.keys(circles));
});
