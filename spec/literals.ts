import type { Json, JsonObject } from './json.js';
import { find, type Pointer, pointerText } from './pointer.js';
import type { SpecSource } from './source.js';

/** One literal or constraint of the protocol: its meaning, its value, and every place where the OpenAPI document has it. */
export interface Literal {
  readonly name: string;
  readonly kind: 'value' | 'header-name' | 'status' | 'media-type' | 'path' | 'pattern' | 'key-pattern' | 'duration';
  readonly value: Json;
  readonly at: readonly Place[];
}

/** A place holds the literal as its value, or as the last part of the pointer itself (a member's name). */
export interface Place {
  readonly pointer: Pointer;
  readonly in: 'value' | 'key';
  /** The literal as it stands here, where it is part of a longer text. */
  readonly within?: string;
}

export function asValue(...pointer: string[]): Place {
  return { pointer, in: 'value' };
}

export function asKey(...pointer: string[]): Place {
  return { pointer, in: 'key' };
}

/** A copy of the spec in which one literal has another value, everywhere it stands. */
export function changeLiteral(source: SpecSource, literal: Literal, value: Json): SpecSource {
  const openapi = structuredClone(source.openapi) as JsonObject;
  for (const place of literal.at) {
    const parent = find(openapi, place.pointer.slice(0, -1)) as Record<string, Json> | undefined;
    const name = place.pointer.at(-1) as string;
    if (parent === undefined) throw new Error(`no ${pointerText(place.pointer)} in this spec`);
    if (place.in === 'value') parent[name] = place.within === undefined ? value : place.within.replace('*', String(value));
    else renameMember(parent, name, String(value));
  }
  return { ...source, openapi };
}

function renameMember(parent: Record<string, Json>, from: string, to: string): void {
  const members = Object.entries(parent);
  for (const name of Object.keys(parent)) delete parent[name];
  for (const [name, member] of members) parent[name === from ? to : name] = member;
}
