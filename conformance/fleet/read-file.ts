import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { didYouMean, type OptionError } from '../../spec/index.js';
import { complaint, InputFileError, readText, schemaValidator } from '../report/index.js';
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

export interface FleetFile {
  readonly services: readonly Service[];
  /** Tells what is wrong with a key of a service, with the line where it stands. */
  problem(service: Service, key: string, what: string): InputFileError;
}

type Path = readonly (string | number)[];
type Given = Partial<Record<string, unknown>> & Pick<Service, 'name' | 'url'>;

const expected = 'a fleet file is expected, in YAML or JSON, such as services: [{ name: people, url: http://localhost:8080/api }]';

/** Reads a fleet file. What is wrong is told with its line and key; values are never repeated, because they may be secret. */
export function readFleetFile(file: string): FleetFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file, 'cannot be read', expected), { lineCounter: lines, prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong !== undefined)
    throw new InputFileError(file, `line ${lines.linePos(wrong.pos[0]).line}: not YAML or JSON (${wrong.code}); ${expected}`);
  const at = (path: Path, what: string) =>
    new InputFileError(file, `line ${lines.linePos(offsetOf(document.contents, path)).line}, ${keyWords(path)}: ${what}`);
  const value = document.toJS() as { defaults?: object; services: Given[] };
  const validate = schemaValidator(fleetFileSchema());
  if (!validate(value)) throw schemaProblem(validate.errors ?? [], at);
  const named = new Map<string, number>();
  const services = value.services.map((given, index) => {
    // Some file systems do not tell letter cases, or ways to write an accent, apart.
    const folder = given.name.normalize('NFC').toLowerCase();
    const earlier = named.get(folder);
    if (earlier !== undefined)
      throw at(['services', index, 'name'], `services[${earlier}] has this name, too; every service needs its own`);
    named.set(folder, index);
    const {
      name,
      url,
      tags = [],
      deadline = '10m',
      ...options
    } = { ...value.defaults, ...given } as Given & Pick<Service, 'tags' | 'deadline'>;
    return { name, url, tags, deadline, options };
  });
  return {
    services,
    problem(service, key, what) {
      const index = services.indexOf(service as (typeof services)[number]);
      const isOwn = key in (value.services[index] ?? {}) || !(key in (value.defaults ?? {}));
      return at(isOwn ? ['services', index, key] : ['defaults', key], `${what} (service ${service.name})`);
    },
  };
}

/** The key of a fleet file that an error of an option is about. */
export function keyOf({ option }: OptionError): string {
  return option === 'baseUrl' ? 'url' : ([...serviceOptions].find(([, { key }]) => key === option)?.[0] ?? option);
}

type SchemaErrors = NonNullable<ReturnType<typeof schemaValidator>['errors']>;

function schemaProblem(errors: SchemaErrors, at: (path: Path, what: string) => InputFileError): InputFileError {
  // Of a value that may be one thing or another, the last error is about the whole.
  const error = errors.at(-1) as SchemaErrors[number];
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));
  const { parentSchema, params, keyword } = error;
  const { description, properties = {} } = parentSchema as { description?: string; properties?: object };
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const known = Object.keys(properties);
    return at([...path, key], `there is no such key.${didYouMean(key, known) || ` Keys: ${known.join(' ')}`}`);
  }
  const about = description === undefined ? '' : `. ${description}`;
  return at(
    path,
    keyword === 'not' || keyword === 'pattern'
      ? `not allowed${about}`
      : `${complaint({ ...error, instancePath: '' }).replace('at /: ', '')}${about}`,
  );
}

/** Where the key, or as much of the way to it as there is, stands in the text. */
function offsetOf(root: unknown, path: Path): number {
  let node = root;
  let offset = 0;
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === part) : undefined;
    const next: unknown = isSeq(node) ? node.items[part as number] : pair?.value;
    const place = (pair?.key ?? next) as Node | undefined;
    if (!place?.range) break;
    [offset] = place.range;
    node = next;
  }
  return offset;
}

function keyWords(path: Path): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`)).join('') || 'the file';
}
