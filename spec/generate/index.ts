import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse, stringify } from 'yaml';
import { arazzoDocument } from '../arazzo.js';
import { packageFile, profileOf, spec, specFiles, specText } from '../index.js';
import { digestOf } from '../source.js';

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
  { file: 'spec/generated/documents.ts', text: async () => documentsText() },
];

async function typesText(document: string): Promise<string> {
  const nodes = await openapiTypes(pathToFileURL(packageFile('spec', document)), { immutable: document === 'control.yaml' });
  return COMMENT_HEADER + astToString(nodes);
}

/** The documents of the spec, parsed ahead, each beside the digest of its text; the Arazzo document as it is about to be written. */
function documentsText(): string {
  const texts = { openapi: specText('openapi'), arazzo: arazzoText(), requirements: specText('requirements') };
  const each = (work: (text: string) => unknown) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, work(text)]));
  const documents = JSON.stringify(each((text) => parse(text)));
  return [
    '// Written by npm run generate from the YAML files of spec/; read instead of them while they are unchanged.',
    `export const parsed = {`,
    `  digests: ${JSON.stringify(each(digestOf))} as Readonly<Record<string, string>>,`,
    `  documents: ${JSON.stringify(documents)},`,
    '};',
    '',
  ].join('\n');
}

const head = `# Written by npm run generate, with the literals of openapi.yaml; change that, or arazzo.template.yaml.
`;

function arazzoText(): string {
  const { version } = profileOf(spec);
  return head + stringify(arazzoDocument(spec.protocol, version), { lineWidth: 0, aliasDuplicateObjects: false });
}
