import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Json, readYaml } from './document.js';
import { parsed } from './generated/documents.js';

/** The three documents of a spec, as plain data. */
export interface SpecSource {
  readonly openapi: Json;
  readonly arazzo: Json;
  readonly requirements: Json;
}

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

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

export function readSpecFolder(folder: string): SpecSource {
  const expected = `a spec folder holds ${Object.values(specFiles).join(', ')}`;
  return {
    openapi: readYaml(join(folder, specFiles.openapi), expected),
    arazzo: readYaml(join(folder, specFiles.arazzo), expected),
    requirements: readYaml(join(folder, specFiles.requirements), expected),
  };
}

/** The text of one of the package's own spec files, as committed. */
export function specText(document: keyof SpecSource): string {
  return readFileSync(packageFile('spec', specFiles[document]), 'utf8');
}
