import { readFileSync } from 'node:fs';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';
import { performancePage } from '../bench/figures.js';
import { type GeneratedFile, generatedFromSpec } from '../spec/generate/index.js';
import { packageFile, spec } from '../spec/index.js';
import { manualText } from './cli/manual.js';
import { combinationTables } from './coverage-page.js';
import { fleetFileSchema } from './fleet/index.js';
import { postmanCollectionText } from './postman/index.js';
import { compiledLibrary, compiledLibraryText } from './postman/sandbox/compile.js';
import { reportSchema } from './report/index.js';
import { selfTestPage, withFigures } from './self-test/index.js';
import { clientTables, sourceTables } from './source-tables.js';

/** Every committed file that a program writes. `npm run generate` writes them, and a test compares. */
export const generatedFiles: readonly GeneratedFile[] = [
  ...generatedFromSpec,
  { file: 'docs/coverage.md', text: async () => coveragePage() },
  { file: 'docs/command-line.md', text: async () => manualText() },
  { file: 'conformance/fleet/fleet.schema.json', text: async () => `${JSON.stringify(fleetFileSchema, null, 2)}\n` },
  { file: 'docs/self-test.md', text: async () => selfTestPage() },
  { file: 'docs/performance.md', text: async () => performancePage() },
  { file: 'conformance/reference-client/generated/protocol.ts', text: async () => clientProtocolText() },
  { file: 'conformance/report/generated/schema.ts', text: reportTypes },
  { file: 'conformance/postman/generated/library.ts', text: compiledLibraryText },
  // From the sources: the compiled library that was loaded here may be that of before.
  { file: 'conformance/postman/hydrauth.postman_collection.json', text: async () => postmanCollectionText(spec, await compiledLibrary()) },
  { file: 'reference-server/control/page/browser/generated/shell.js', text: async () => shellForThePage() },
];

const coveragePage = () => withFigures('coverage.md', sourceTables(), ...combinationTables(), clientTables());

/** What the reference client knows of the protocol, as a module without the spec: that one reads files, and no browser can. */
function clientProtocolText(): string {
  const { authorization, nonce, token } = spec.protocol.headers;
  const { status, scheme } = spec.protocol.challenge;
  const known = { headers: { authorization, nonce, token }, challenge: { status, scheme } };
  return `// Written by npm run generate from spec/openapi.yaml.\nexport const protocol = ${JSON.stringify(known, null, 2)};\n`;
}

/** The types of reports, of which the schema is the only description. */
async function reportTypes(): Promise<string> {
  const {
    $defs,
    $id: _,
    $schema: __,
    ...report
  } = JSON.parse(JSON.stringify(reportSchema()).replaceAll('#/$defs/', '#/components/schemas/'));
  const info = { title: 'report', version: '1' };
  const nodes = await openapiTypes(
    { openapi: '3.1.0', info, paths: {}, components: { schemas: { ...$defs, report } } },
    { immutable: true },
  );
  return COMMENT_HEADER + astToString(nodes);
}

/** How the judge writes shell texts, for the live page, which loads plain JavaScript and quotes by the same rule. */
function shellForThePage(): string {
  const source = readFileSync(packageFile('conformance/evidence/shell.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } });
  return `// @ts-nocheck: written by npm run generate from conformance/evidence/shell.ts\n${outputText}`;
}
