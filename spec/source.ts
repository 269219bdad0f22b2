import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SpecError } from './errors.js';
import { parsed } from './generated/documents.js';

/** The three documents of a spec, as plain data. */
export interface SpecSource {
  readonly openapi: Json;
  readonly arazzo: Json;
  readonly requirements: Json;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export const specFiles = {
  openapi: 'openapi.yaml',
  arazzo: 'auth.arazzo.yaml',
  requirements: 'requirements.yaml',
} as const;

/** Where the package keeps its own files, seen from the sources as well as from the build. */
export function packageFile(...path: string[]): string {
  let folder = fileURLToPath(new URL('.', import.meta.url));
  while (!existsSync(join(folder, 'spec', specFiles.openapi)) && resolve(folder, '..') !== folder) {
    folder = resolve(folder, '..');
  }
  return join(folder, ...path);
}

/**
 * The package's own documents as they were parsed ahead, when the YAML files are still what they were parsed from; undefined
 * otherwise. Parsing and validating them takes longer than everything else at the start of a command.
 */
export function parsedAhead(): SpecSource | undefined {
  for (const document of Object.keys(specFiles) as (keyof SpecSource)[]) {
    if (digestOf(specText(document)) !== parsed.digests[document]) return undefined;
  }
  return JSON.parse(parsed.documents) as SpecSource;
}

/** What tells one text of a document from another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function readSpecFolder(folder: string): SpecSource {
  return {
    openapi: readYaml(folder, specFiles.openapi),
    arazzo: readYaml(folder, specFiles.arazzo),
    requirements: readYaml(folder, specFiles.requirements),
  };
}

/** The text of one of the package's own spec files, as committed. */
export function specText(document: keyof SpecSource): string {
  return readFileSync(packageFile('spec', specFiles[document]), 'utf8');
}

function readYaml(folder: string, file: string): Json {
  const path = join(folder, file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SpecError(
      path,
      '',
      `cannot be read (${(error as NodeJS.ErrnoException).code}); a spec folder holds ${Object.values(specFiles).join(', ')}`,
    );
  }
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = problem.linePos?.[0];
    throw new SpecError(
      path,
      line === undefined ? '' : `line ${line.line}, column ${line.col}`,
      `not valid YAML: ${problem.message.split('\n')[0]}`,
    );
  }
  return document.toJS() as Json;
}
