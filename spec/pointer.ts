import { SpecError } from './errors.js';
import { isObject, type Json, type JsonObject } from './json.js';

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
