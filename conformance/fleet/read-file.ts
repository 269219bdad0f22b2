import type { ErrorObject } from 'ajv/dist/2020.js';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { didYouMean, type OptionError, readGivenYaml } from '../../spec/index.js';
import { InputFileError, schemaValidator, typeWords } from '../report/index.js';
import { fleetFileSchema, serviceOptions } from './schema.js';

/** A text, or where it stands. */
export type Reference = string | { readonly env: string } | { readonly file: string };

/** A service as its file describes it, with the defaults. Nothing that it refers to has been read. */
export interface Service {
  readonly name: string;
  readonly url: string;
  readonly tags: readonly string[];
  readonly deadline: string;
  /** By their keys in the file. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type FleetFile = ReturnType<typeof readFleetFile>;
type Path = readonly string[];
type Given = Omit<Service, 'options' | 'tags' | 'deadline'> & Partial<Pick<Service, 'tags' | 'deadline'>>;

const expected = 'a fleet file is expected, in YAML or JSON, such as services: [{ name: people, url: http://localhost:8080/api }]';

/** Reads a fleet file. What is wrong is told with its line and key; values are never repeated, because they may be secret. */
export function readFleetFile(file: string) {
  const lines = new LineCounter();
  const refuse = (code: string) => new InputFileError(file, `cannot be read (${code}); ${expected}`);
  const { contents, value } = readGivenYaml(file, refuse, (text) => {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
    const [wrong] = document.errors;
    if (wrong !== undefined)
      throw new InputFileError(file, `line ${lines.linePos(wrong.pos[0]).line}: not YAML or JSON (${wrong.code}); ${expected}`);
    try {
      return { contents: document.contents, value: document.toJS() as { defaults?: object; services: Given[] } };
    } catch {
      throw new InputFileError(file, `an alias (*name) has no anchor (&name), or there are too many; ${expected}`);
    }
  });
  const at = (path: Path, what: string) =>
    new InputFileError(file, `line ${lines.linePos(offsetOf(contents, path)).line}, ${keyWords(path)}: ${what}`);
  const validate = schemaValidator(fleetFileSchema);
  if (!validate(value)) throw schemaProblem(validate.errors?.at(-1) as ErrorObject, at);
  const named = new Map<string, number>();
  const services = value.services.map((given, index): Service => {
    // Some file systems do not tell letter cases, or ways to write an accent, apart.
    const folder = given.name.normalize('NFC').toLowerCase();
    const earlier = named.get(folder);
    if (earlier !== undefined)
      throw at(['services', `${index}`, 'name'], `services[${earlier}] has this name, too; every service needs its own`);
    named.set(folder, index);
    const { name, url, tags = [], deadline = '10m', ...options }: Given = { ...value.defaults, ...given };
    return { name, url, tags, deadline, options };
  });
  return {
    services,
    /** Tells what is wrong with a key of a service, with the line where it stands. */
    problem(service: Service, key: string, what: string) {
      const index = services.indexOf(service);
      const isOwn = key in (value.services[index] ?? {}) || !(key in (value.defaults ?? {}));
      return at(isOwn ? ['services', `${index}`, key] : ['defaults', key], `${what} (service ${service.name})`);
    },
  };
}

/** The key of a fleet file that an error of an option is about. */
export function keyOf({ option }: OptionError): string {
  return option === 'baseUrl' ? 'url' : ([...serviceOptions].find(([, { key }]) => key === option)?.[0] ?? option);
}

/** Of a value that may be one thing or another, the last error is about the whole. */
function schemaProblem(error: ErrorObject, at: (path: Path, what: string) => InputFileError): InputFileError {
  const path = error.instancePath.split('/').slice(1);
  const { description, properties = {} } = error.parentSchema as { description?: string; properties?: object };
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const known = Object.keys(properties);
    return at([...path, key], `there is no such key.${didYouMean(key, known) || ` Keys: ${known.join(' ')}`}`);
  }
  return at(path, `${allowedWords(error)}${description === undefined ? '' : `. ${description}`}`);
}

const kinds: Readonly<Record<string, string>> = { ...typeWords, object: 'keys with their values' };

/** What is allowed in the place of what is there. */
function allowedWords({ keyword, params, parentSchema }: ErrorObject): string {
  const { minimum, maximum, enum: allowed = [] } = parentSchema as { minimum?: number; maximum?: number; enum?: readonly string[] };
  if (keyword === 'required') return `the key ${params['missingProperty']} is missing`;
  if (keyword === 'enum') return `not allowed; ${allowed.join(' or ')} is`;
  if (keyword === 'anyOf') return 'not allowed; a text, { env: NAME } or { file: PATH } is';
  if (keyword === 'minLength' || keyword === 'minItems') return 'it is empty';
  if (keyword === 'minimum' || keyword === 'maximum') return `not allowed; a whole number from ${minimum} to ${maximum} is`;
  if (keyword === 'type')
    return `not allowed; ${[params['type']]
      .flat()
      .map((each) => kinds[each])
      .join(' or ')} is`;
  return 'not allowed';
}

/** Where the key, or as much of the way to it as there is, stands in the text. */
function offsetOf(root: unknown, path: Path): number {
  let [node, offset] = [root, 0];
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === part) : undefined;
    node = isSeq(node) ? node.items[Number(part)] : pair?.value;
    offset = ((pair?.key ?? node) as Node | undefined)?.range?.[0] ?? offset;
  }
  return offset;
}

const keyWords = (path: Path) =>
  path
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1) || 'the file';
