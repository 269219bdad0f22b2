import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse, stringify } from 'yaml';
import { arazzoDocument } from '../arazzo.js';
import { readCatalogues } from '../catalogue.js';
import type { Json } from '../document.js';
import { readProtocol } from '../protocol.js';
import { packageFile, specFiles, specText } from '../source.js';
import { clientCoverageText, coverageText } from './coverage.js';
import { documentsText } from './documents.js';

/** A committed file that is written by `npm run generate` and compared by a test. */
export interface GeneratedFile {
  /** From the root of the package. */
  readonly file: string;
  text(): Promise<string>;
}

/** What is generated from the OpenAPI document and the catalogue. */
export const generatedFromSpec: readonly GeneratedFile[] = [
  { file: 'spec/generated/openapi.ts', text: () => typesText(specFiles.openapi) },
  { file: 'spec/generated/control.ts', text: () => typesText('control.yaml') },
  { file: 'spec/auth.arazzo.yaml', text: async () => arazzoText() },
  { file: 'spec/generated/documents.ts', text: async () => documentsText(documents()) },
];

/** The first half of docs/coverage.md: the source text, point by point. What is tried of it is the judge's to say. */
export function sourceCoverage(): string {
  return coverageText(readCatalogues(read('requirements'), protocol()).server);
}

/** The last part of docs/coverage.md: what is required of clients, and what judges it. */
export function clientCoverage(): string {
  return clientCoverageText(readCatalogues(read('requirements'), protocol()).client);
}

async function typesText(document: string): Promise<string> {
  const nodes = await openapiTypes(pathToFileURL(packageFile('spec', document)), { immutable: document === 'control.yaml' });
  return COMMENT_HEADER + astToString(nodes);
}

/** The Arazzo document as it is about to be written, not as it was. */
function documents() {
  readCatalogues(read('requirements'), protocol());
  return { openapi: specText('openapi'), arazzo: arazzoText(), requirements: specText('requirements') };
}

const head = `# Written by npm run generate, with the literals of openapi.yaml; change that, or arazzo.template.yaml.
`;

function arazzoText(): string {
  return head + stringify(arazzoDocument(protocol(), version()), { lineWidth: 0, aliasDuplicateObjects: false });
}

function read(document: 'openapi' | 'requirements'): Json {
  return parse(specText(document)) as Json;
}

function protocol() {
  return readProtocol(read('openapi')).protocol;
}

function version(): string {
  return (read('openapi') as unknown as { info: { version: string } }).info.version;
}
