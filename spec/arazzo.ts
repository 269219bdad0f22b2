import { isObject, type Json, type JsonObject, readYaml } from './document.js';
import type { Protocol } from './protocol.js';
import { packageFile } from './source.js';
import { fillIn } from './words.js';

const template = 'arazzo.template.yaml';

/** The three steps as a workflow for any Arazzo runner, with the literals of this protocol. */
export function arazzoDocument(protocol: Protocol, version: string): Json {
  const filled = fillIn(readYaml(packageFile('spec', template), 'a template is expected'), protocol, template, { version });
  return joined((filled as JsonObject)['document'] as Json);
}

/** Lists in lists are parts that several lists have in common. */
function joined(value: Json): Json {
  if (Array.isArray(value)) return value.flat(9).map(joined);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, joined(each)])) : value;
}
