import { createRequire } from 'node:module';
import { readGivenYaml } from './read-given.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export type JsonObject = { readonly [member: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A spec file that is missing, malformed or contradicts itself. Names the file and the place in it. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  readonly code = 'HYDRAUTH_SPEC';

  constructor(
    readonly file: string,
    readonly place: string,
    readonly problem: string,
  ) {
    super(`${file}${place === '' ? '' : ` at ${place}`}: ${problem}`);
  }
}

/** A JSON Pointer (RFC 6901) as its unescaped parts. */
export type Pointer = readonly string[];

export function pointerText(pointer: Pointer): string {
  return `/${pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

export function find(document: Json, pointer: Pointer): Json | undefined {
  let place: Json | undefined = document;
  for (const part of pointer) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = Object.hasOwn(place, part) ? (place as JsonObject)[part] : undefined;
  }
  return place;
}

/** Reads values out of one document; what is missing or of another kind is an error that names the place. */
export class Reader {
  constructor(
    private readonly file: string,
    private readonly document: Json,
  ) {}

  object(pointer: Pointer): JsonObject {
    const value = find(this.document, pointer);
    return isObject(value) ? value : this.fail(pointer, 'an object', value);
  }

  text(pointer: Pointer): string {
    const value = find(this.document, pointer);
    return typeof value === 'string' && value !== '' ? value : this.fail(pointer, 'a text', value);
  }

  pattern(pointer: Pointer): RegExp {
    const text = this.text(pointer);
    try {
      return new RegExp(text, 'u');
    } catch (error) {
      return this.problem(pointer, `not a regular expression: ${(error as Error).message}`);
    }
  }

  problem(pointer: Pointer, problem: string): never {
    throw new SpecError(this.file, pointerText(pointer), problem);
  }

  private fail(pointer: Pointer, wanted: string, got: Json | undefined): never {
    return this.problem(
      pointer,
      got === undefined ? `missing; ${wanted} is expected here` : `${wanted} is expected here, not ${JSON.stringify(got)}`,
    );
  }
}

/** Reads a file of YAML or JSON; `expected` says what should have stood there. */
export function readYaml(path: string, expected: string): Json {
  // Loaded only where a file is read: the package's own spec is parsed ahead.
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const refuse = (code: string) => new SpecError(path, '', `cannot be read (${code}); ${expected}`);
  return readGivenYaml(path, refuse, (text) => {
    const document = parseDocument(text, { prettyErrors: true, stringKeys: true });
    const [problem] = document.errors;
    if (problem !== undefined) {
      const line = problem.linePos?.[0];
      throw new SpecError(
        path,
        line === undefined ? '' : `line ${line.line}, column ${line.col}`,
        `not valid YAML or JSON: ${problem.message.split('\n')[0]}`,
      );
    }
    try {
      // As JSON has it: without dates and octets, and without what leads to itself.
      return JSON.parse(JSON.stringify(document.toJS()));
    } catch {
      throw new SpecError(path, '', 'an alias (*name) has no anchor (&name), stands within its anchor, or there are too many');
    }
  });
}
