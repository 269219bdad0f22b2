import { type Catalogue, readCatalogues } from './catalogue.js';
import { SpecError } from './errors.js';
import type { Literal } from './literals.js';
import { type Protocol, readProtocol } from './protocol.js';
import { packageFile, parsedAhead, readSpecFolder, type SpecSource } from './source.js';

export type { Catalogue, Engine, Level, OpenPoint, Requirement, Role, ServerEngine, SourcePoint, Step } from './catalogue.js';
export { durationMs, durationWords } from './duration.js';
export { SpecError } from './errors.js';
export type { components, operations, paths } from './generated/openapi.js';
export { changeLiteral, type Literal, type Place } from './literals.js';
export { allow, checkOptions, type OptionCheck, type OptionChecks, OptionError } from './options.js';
export type { Protocol } from './protocol.js';
export { type Json, packageFile, readSpecFolder, type SpecSource, specFiles, specText } from './source.js';

/** The whole spec: the documents as data, and what they mean. Frozen. */
export interface Spec {
  readonly source: SpecSource;
  readonly protocol: Protocol;
  readonly literals: readonly Literal[];
  /** What is required of servers. */
  readonly catalogue: Catalogue;
  /** What is required of clients. */
  readonly clientCatalogue: Catalogue;
}

/** Loads, validates and freezes a spec: the package's own, a folder's, or one given as data. */
export function loadSpec(from?: string | SpecSource): Spec {
  const ahead = from === undefined ? parsedAhead() : undefined;
  const source = ahead ?? (typeof from === 'object' ? complete(from) : readSpecFolder(from ?? packageFile('spec')));
  const { protocol, literals } = readProtocol(source.openapi);
  const { server: catalogue, client: clientCatalogue } = readCatalogues(source.requirements, protocol, ahead !== undefined);
  return freeze({ source, protocol, literals, catalogue, clientCatalogue });
}

/** The package's own spec, loaded once. */
export const spec: Spec = loadSpec();

function complete(source: SpecSource): SpecSource {
  for (const document of ['openapi', 'arazzo', 'requirements'] as const) {
    if (typeof source !== 'object' || source === null || typeof source[document] !== 'object' || source[document] === null) {
      throw new SpecError(
        'the given spec',
        `/${document}`,
        'missing; a spec is a folder or an object with openapi, arazzo and requirements',
      );
    }
  }
  return structuredClone(source);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
