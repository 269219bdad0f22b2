import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile, SpecError, spec, specFiles } from '../index.js';
import { scratch } from './scratch.js';

/** A copy of the package's spec that may be changed. */
export interface MutableSource {
  openapi: Members;
  arazzo: Members;
  requirements: { version: string; sources: Members[]; requirements: Members[] };
}

export interface Members {
  [member: string]: unknown;
}

export function copyOfSource(): MutableSource {
  return structuredClone(spec.source) as unknown as MutableSource;
}

/** The member at the end of a path, which must be there. */
export function at(document: unknown, ...path: (string | number)[]): Members {
  let place = document;
  for (const part of path) place = (place as Members)[part];
  if (typeof place !== 'object' || place === null) throw new Error(`nothing at ${path.join('/')}`);
  return place as Members;
}

/** What loading complains of. */
export function failure(load: () => unknown): SpecError {
  try {
    load();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('it loaded');
}

/** A folder with a copy of the spec's files, removed after the test. */
export function copyOfFolder(): string {
  const folder = scratch();
  for (const file of Object.values(specFiles)) cpSync(packageFile('spec', file), join(folder, file));
  return folder;
}
