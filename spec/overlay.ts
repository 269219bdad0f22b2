import { createRequire } from 'node:module';
import { find as findAt, isObject, type Json, type JsonObject, type Pointer, pointerText, SpecError } from './document.js';
import type { Literal } from './literals.js';
import type { SpecSource } from './source.js';

const members = ['target', 'description', 'update', 'remove'];

/** The document that an OpenAPI Overlay 1.0 makes of another. What it cannot apply is refused with its place in the overlay. */
export function applyOverlay(document: Json, overlay: JsonObject, file: string): Json {
  const fail = (place: readonly string[], problem: string): never => {
    throw new SpecError(file, pointerText(place), problem);
  };
  const version = JSON.stringify(overlay['overlay']);
  if (!/^"1\.0\.\d+"$/.test(version)) fail(['overlay'], `version 1.0.0 of overlays is expected, not ${version}`);
  const actions = overlay['actions'];
  if (!Array.isArray(actions) || actions.length === 0) return fail(['actions'], 'a list of actions is expected here');
  const changed = structuredClone(document);
  for (const [index, action] of (actions as readonly Json[]).entries()) {
    const at = ['actions', String(index)];
    if (!isObject(action)) return fail(at, 'an object with target and update or remove is expected');
    const unknown = Object.keys(action).find((name) => !members.includes(name) && !name.startsWith('x-'));
    if (unknown !== undefined) fail([...at, unknown], `there is no such member; allowed are ${members.join(', ')}`);
    apply(changed, action, (member, problem) => fail([...at, member], problem));
  }
  return changed;
}

/** The literals that are changed most often, by the names of the options that change them. */
export const overlayLiterals = {
  'nonce-header': 'header name: nonce',
  'token-header': 'header name: token',
  lifetime: 'token lifetime',
  realm: 'realm',
  'media-type': 'media type',
} as const;

/** The actions that give literals other values, by their names, everywhere they stand. */
function actionsFor(openapi: Json, literals: readonly Literal[], values: ReadonlyMap<string, string>): JsonObject[] {
  const path = (pointer: Pointer) => `$${pointer.map((part) => `['${part.replace(/['\\]/g, '\\$&')}']`).join('')}`;
  return literals
    .filter(({ name }) => values.has(name))
    .flatMap(({ name, at }) =>
      at.flatMap(({ pointer, in: place, within = '*' }): JsonObject[] => {
        const [target, last] = [path(pointer.slice(0, -1)), pointer.at(-1) as string];
        const value = within.replace('*', values.get(name) as string);
        if (place === 'value') return [{ target, update: { [last]: value } }];
        return [
          { target: path(pointer), remove: true },
          { target, update: { [value]: findAt(openapi, pointer) as Json } },
        ];
      }),
    );
}

/** The overlay that gives literals other values. */
export function literalOverlay(openapi: Json, literals: readonly Literal[], values: ReadonlyMap<string, string>): JsonObject {
  const info = { title: 'Token authentication with other literals', version: '1.0.0' };
  return { overlay: '1.0.0', info, actions: [{ target: '$.info', update: info }, ...actionsFor(openapi, literals, values)] };
}

/** A copy of the spec in which one literal has another value, everywhere it stands. */
export function changeLiteral(source: SpecSource, literal: Literal, value: Json): SpecSource {
  const actions = actionsFor(source.openapi, [literal], new Map([[literal.name, String(value)]]));
  return { ...source, openapi: applyOverlay(source.openapi, { overlay: '1.0.0', actions }, 'the changed spec') };
}

type Node = { readonly value: unknown; readonly location: readonly (string | number)[] };

function apply(document: Json, { target, update, remove }: JsonObject, fail: (member: string, problem: string) => never): void {
  if (typeof target !== 'string') fail('target', 'a JSONPath is expected here, such as $.components.securitySchemes.token');
  if (remove !== undefined && typeof remove !== 'boolean') fail('remove', 'true or false is expected');
  if (remove !== true && update === undefined) fail('update', 'missing; what to put there is expected, or remove: true');
  const nodes = find(document, target as string, (problem) => fail('target', problem));
  if (nodes.length === 0) fail('target', `${target as string} matches nothing in the document; it would change nothing`);
  // From the end, so that what is removed from a list does not move what is still to be removed.
  for (const node of [...nodes].reverse()) {
    if (remove === true) removeAt(document, node, (problem) => fail('target', problem));
    else if (Array.isArray(node.value)) node.value.push(structuredClone(update));
    else if (isObject(node.value as Json) && isObject(update)) merge(node.value as Record<string, Json>, update);
    else
      fail('update', 'the target is no object, or what to put there is none; name the object that holds the value, and update its member');
  }
}

function find(document: Json, target: string, fail: (problem: string) => never): readonly Node[] {
  // Loaded only where an overlay is applied.
  const { jsonpath } = createRequire(import.meta.url)('json-p3') as typeof import('json-p3');
  try {
    return jsonpath.query(target, document as never).nodes as unknown as readonly Node[];
  } catch (error) {
    return fail(`${target} is no JSONPath: ${(error as Error).message}`);
  }
}

function removeAt(document: Json, { location }: Node, fail: (problem: string) => never): void {
  const last = location.at(-1) ?? fail('the whole document cannot be removed');
  const parent = location.slice(0, -1).reduce<Json>((place, part) => (place as Record<string | number, Json>)[part] as Json, document);
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, Json>)[last];
}

/** Objects are joined member by member, lists are appended to, and everything else is replaced. */
function merge(into: Record<string, Json>, update: JsonObject): void {
  for (const [name, value] of Object.entries(update)) {
    const old = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isObject(old) && isObject(value)) merge(old as Record<string, Json>, value);
    else into[name] = Array.isArray(old) && Array.isArray(value) ? [...old, ...structuredClone(value)] : structuredClone(value);
  }
}
