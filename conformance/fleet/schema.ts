import { type Option, optionsIn } from '../option-table.js';

/** Names the format of fleet files. A change that breaks files gets another number. */
const id = 'https://hydrauth.example/schema/fleet-file-1.json';
const notPerService = ['seed'];
const lists: Readonly<Record<string, string>> = { collection: 'collections', user: 'users' };
/** These may hold secrets, so that a file may say where they are instead. */
const secret = ['user', 'header'];

type Keyed = Option & { readonly key: string };

/** What a service takes of the options of `check`: those of the library, by their keys in a fleet file. */
export const serviceOptions: ReadonlyMap<string, Keyed> = new Map(
  optionsIn('check').flatMap((option) =>
    option.key === undefined || notPerService.includes(option.name)
      ? []
      : [[lists[option.name] ?? option.name, { ...option, key: option.key }]],
  ),
);

const text = { type: 'string', minLength: 1 };
const like = (pattern: string, description: string) => ({ type: 'string', pattern, description });
const closed = (properties: object, ...required: string[]) => ({ type: 'object', additionalProperties: false, required, properties });
const namePattern = '^[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}._-]{0,98}[\\p{L}\\p{M}\\p{N}_-])?$';
const deadlinePattern = '^([1-9][0-9]{0,4}s|[1-9][0-9]{0,3}m|[1-9][0-9]?h)$';

/** What stands above the services in the folder of a run. */
export const overviewFiles = ['fleet.json', 'index.html', 'fleet.md', 'junit.xml', 'ctrf.json'];
const name = {
  ...like(namePattern, 'Letters, digits, dots, dashes and underscores, because a folder is named after it; at most 100.'),
  not: { enum: overviewFiles },
};
const startedAt = { type: 'string', format: 'date-time' };
const open = (properties: object, ...required: string[]) => ({ type: 'object', required, properties });

/** Of a run that somebody else may have written, what becomes names of files or part of a page. */
export const runSchema = open(
  {
    ...{ seed: { type: 'integer' }, startedAt, shard: like('^[0-9]{1,4}/[0-9]{1,4}$', 'Such as 1/3.') },
    services: { type: 'array', items: open({ name, url: text, tags: { type: 'array', items: text } }, 'name', 'url', 'tags') },
  },
  ...['seed', 'startedAt', 'services'],
);

/** Of a run in a history, all that is read. */
export const pastRunSchema = open(
  {
    ...{ startedAt, catalogue: text, ids: { type: 'array', items: text } },
    services: {
      ...{ type: 'object', propertyNames: name },
      additionalProperties: open(
        { exitCode: { type: 'integer' }, judgedBy: text, durationMs: { type: 'number' }, outcomes: { type: 'string' } },
        ...['exitCode', 'judgedBy', 'durationMs', 'outcomes'],
      ),
    },
  },
  ...['startedAt', 'catalogue', 'ids', 'services'],
);

/** The schema of fleet files, made from the option table. */
export const fleetFileSchema = fileSchema();

function fileSchema(): object {
  const shared = {
    ...Object.fromEntries([...serviceOptions].map(([key, option]) => [key, { description: option.text, ...valueSchema(option) }])),
    tags: { description: 'Words to select services by, with --only.', type: 'array', items: text },
    deadline: like(deadlinePattern, 'When to end with what is known: 90s, 10m or 2h. Default: 10m.'),
  };
  const url = { description: 'Where the API begins, for example http://localhost:8080/api.', ...text };
  const services = { type: 'array', minItems: 1, items: closed({ name, url, ...shared }, 'name', 'url') };
  const defaults = { description: 'What every service has that does not say otherwise.', ...closed(shared) };
  const file = closed({ $schema: { type: 'string' }, defaults, services }, 'services');
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: id, title: 'Fleet file of hydrauth', ...file };
}

function valueSchema({ name, value, many, whole, allowed }: Option): object {
  if (value === undefined) return { type: 'boolean' };
  if (many)
    return {
      type: 'array',
      items: secret.includes(name) ? { anyOf: [text, closed({ env: text }, 'env'), closed({ file: text }, 'file')] } : text,
    };
  if (whole !== undefined) return { type: 'integer', minimum: whole[0], maximum: whole[1] };
  if (allowed !== undefined) return { enum: allowed };
  return value === 'N' ? { type: ['integer', 'string'] } : text;
}
