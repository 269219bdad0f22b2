import { arazzoDocument } from './arazzo.js';
import { type Catalogue, readCatalogues } from './catalogue.js';
import { isObject, type Json, SpecError } from './document.js';
import type { Literal } from './literals.js';
import { applyOverlay, literalOverlay } from './overlay.js';
import { type Protocol, readProtocol } from './protocol.js';
import { isFolder, packageFile, parsedAhead, readSpecFolder, type SpecSource } from './source.js';
import { readSpecFile } from './spec-file.js';

export type { Catalogue, Engine, Level, OpenPoint, Requirement, Role, ServerEngine, SourcePoint, Step } from './catalogue.js';
export { catalogueOf } from './catalogue.js';
export { type Json, SpecError } from './document.js';
export { count, durationMs, durationWords } from './duration.js';
export type { components as ControlDocument, operations as ControlOperations } from './generated/control.js';
export type { components, operations, paths } from './generated/openapi.js';
export type { Literal, Place } from './literals.js';
export { didYouMean, nearest, nearWords } from './nearest.js';
export {
  allow,
  checkOptions,
  isBaseUrl,
  isUrl,
  type OptionCheck,
  type OptionChecks,
  OptionError,
  type OptionsOf,
  present,
} from './options.js';
export { changeLiteral, overlayLiterals } from './overlay.js';
export { differenceOf, type Profile, profileOf } from './profile.js';
export type { Protocol } from './protocol.js';
export { leadsTo, makeFolder, placeIn, readGiven, readGivenYaml } from './read-given.js';
export { leastBits, madeUp, type Shape, shapeOf, textOf, usualShape, written } from './shape.js';
export { packageFile, readSpecFolder, type SpecSource, specFiles, specText } from './source.js';
export { wrap } from './wrap.js';

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

/**
 * Loads, validates and freezes a spec: the package's own; a folder's; a file's, which holds a whole OpenAPI document or an overlay of the
 * package's own; or one given as data.
 */
export function loadSpec(from?: string | SpecSource): Spec {
  if (from === undefined) {
    const ahead = parsedAhead();
    return made(ahead ?? readSpecFolder(packageFile('spec')), ahead !== undefined);
  }
  if (typeof from === 'object') return made(complete(from));
  return isFolder(from) ? made(readSpecFolder(from)) : fromFile(from);
}

function fromFile(path: string): Spec {
  const { openapi, name } = readSpecFile(path, spec.source.openapi);
  const { protocol } = readProtocol(openapi, name);
  const arazzo = arazzoDocument(protocol, (openapi as unknown as { info: { version: string } }).info.version);
  return made({ openapi, arazzo, requirements: spec.source.requirements }, true, name);
}

function made(source: SpecSource, validatedAhead = false, name?: string): Spec {
  const { protocol, literals } = readProtocol(source.openapi, name);
  const { server: catalogue, client: clientCatalogue } = readCatalogues(source.requirements, protocol, validatedAhead);
  return freeze({ source, protocol, literals, catalogue, clientCatalogue });
}

/** The overlay that gives literals of a spec other values, by their names. A value that the kit could not follow is refused. */
export function overlayOf({ source, literals }: Spec, values: ReadonlyMap<string, string>): Json {
  const overlay = literalOverlay(source.openapi, literals, values);
  readProtocol(applyOverlay(source.openapi, overlay, 'the overlay'), 'the overlay, applied,');
  return overlay;
}

/** The package's own spec, loaded once. */
export const spec: Spec = loadSpec();

function complete(source: SpecSource): SpecSource {
  const expected = 'missing; a spec is a folder or an object with openapi, arazzo and requirements';
  for (const document of ['openapi', 'arazzo', 'requirements'] as const)
    if (!isObject(source?.[document])) throw new SpecError('the given spec', `/${document}`, expected);
  return structuredClone(source);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
