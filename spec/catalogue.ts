import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { type Json, pointerText, SpecError } from './document.js';
import type { Protocol } from './protocol.js';
import { packageFile, specFiles } from './source.js';
import { fillIn } from './words.js';

export type Level = 'MUST' | 'SHOULD' | 'OPEN';
/** Whom a row speaks of. */
export type Role = 'server' | 'client';
/** What judges servers. */
export type ServerEngine = 'laws' | 'postman';
/** What judges clients besides: scenarios, and a watch over one that nobody drives. */
export type Engine = ServerEngine | 'scenarios' | 'watch';
export type Step =
  | 'headers'
  | 'challenge'
  | 'exchange'
  | 'token'
  | 'expiry'
  | 'protection'
  | 'jsonld'
  | 'errors'
  | 'off'
  | 'config'
  | 'client';

/** One thing the source text says, in our words. */
export interface SourcePoint {
  readonly point: string;
  readonly section: string;
  readonly says: string;
}

interface Row {
  readonly id: string;
  readonly role: Role;
  readonly source: readonly string[];
  /** The sections of the source text that the row comes from, as a reader would cite them. */
  readonly section: string;
  readonly step: Step;
  /** The deployments it applies to: authentication switched on, off, or any. */
  readonly auth: 'on' | 'off' | 'any';
  /** What checks or observes it; empty when nothing can, and then `unchecked` says why. */
  readonly engines: readonly Engine[];
  readonly unchecked?: string;
}

export interface Requirement extends Row {
  readonly level: 'MUST' | 'SHOULD';
  readonly statement: string;
  readonly hint: string;
  /** The header with one value that it requires, by its component in the OpenAPI document; no other code is needed to judge it. */
  readonly header?: string;
  /** Who asks in the requests that it speaks of; a failure explains what else was seen of them. */
  readonly about: readonly string[];
  /** It speaks of the steps of all askers in any order, and is told only where no other row is. */
  readonly interleaving: boolean;
  /** It tells what another request does to what it is about. */
  readonly afterOthers: boolean;
  /** It keeps somebody out: a verdict needs it. */
  readonly guards: boolean;
}

export interface OpenPoint extends Row {
  readonly level: 'OPEN';
  readonly question: string;
  readonly answers: readonly string[];
  readonly reference: { readonly chooses: string; readonly because: string };
}

/** What a row may leave out. */
const unmarked = { about: [], interleaving: false, afterOthers: false, guards: false };
type Unsaid = 'role' | 'section' | 'auth' | 'engines';
type Written = (Omit<Requirement, keyof typeof unmarked | Unsaid> | Omit<OpenPoint, Unsaid>) & Partial<Omit<Pick<Row, Unsaid>, 'section'>>;

export type Catalogue = ReturnType<typeof catalogueOf>;

/** The first thing that the schema of the catalogue does not allow. */
function schemaProblem(document: Json): ErrorObject | undefined {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const schema = JSON.parse(readFileSync(packageFile('spec', 'requirements.schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: false, strict: false }).compile(schema);
  return validate(document) ? undefined : validate.errors?.[0];
}

/** The rows of servers and those of clients, each as a catalogue of its own. What was parsed ahead was held against the schema then. */
export function readCatalogues(document: Json, protocol: Protocol, validatedAhead = false): Readonly<Record<Role, Catalogue>> {
  const file = specFiles.requirements;
  const problem = validatedAhead ? undefined : schemaProblem(document);
  if (problem !== undefined) throw complaint(file, document, problem);
  const filled = fillIn(document, protocol, file) as unknown as Pick<Catalogue, 'version' | 'sources'> & { requirements: Written[] };
  const { version, sources, requirements: written } = filled;
  const points = new Map(sources.map((point) => [point.point, point]));
  const byId = new Map<string, Requirement | OpenPoint>();
  for (const [index, { role = 'server', auth = 'on', engines = [], ...row }] of written.entries()) {
    const refuse = (isWrong: boolean, problem: string) => {
      if (isWrong) throw new SpecError(file, pointerText(['requirements', String(index)]), problem);
    };
    refuse(byId.has(row.id), `the id ${row.id} stands twice`);
    refuse(!row.id.startsWith(`${row.step}.`), `the id ${row.id} does not begin with its step, ${row.step}`);
    for (const cited of row.source) refuse(!points.has(cited), `${row.id} cites the point ${cited}, which is not among the sources`);
    const { header } = row as Partial<Requirement>;
    refuse(
      header !== undefined && protocol.fixed[header] === undefined,
      `${row.id} requires the header ${header}; the components with one value (const) are ${Object.keys(protocol.fixed).join(', ')}`,
    );
    refuse(
      (role === 'client') !== (row.step === 'client'),
      `${row.id} has the role ${role} and the step ${row.step}; the step client is for the role client alone`,
    );
    const section = [...new Set(row.source.map((cited) => points.get(cited)?.section))].join('; ');
    const read = { ...row, role, section, auth, engines };
    byId.set(row.id, read.level === 'OPEN' ? read : { ...read, ...unmarked, ...read });
  }
  for (const [index, point] of sources.entries()) {
    if (!written.some((row) => row.role !== 'client' && row.source.includes(point.point)))
      throw new SpecError(file, pointerText(['sources', String(index)]), `no row cites the point ${point.point}`);
  }
  const rowsOf = (role: Role) => [...byId.values()].filter((row) => row.role === role);
  return { server: catalogueOf(version, sources, rowsOf('server')), client: catalogueOf(version, sources, rowsOf('client')) };
}

/** What rows say, to be asked by their ids. */
export function catalogueOf(version: string, sources: readonly SourcePoint[], rows: readonly (Requirement | OpenPoint)[]) {
  const byId = new Map(rows.map((each) => [each.id, each]));
  const row = (id: string) => byId.get(id) ?? unknownId(id, rows);
  const requirements: readonly Requirement[] = rows.filter((each) => each.level !== 'OPEN');
  const open: readonly OpenPoint[] = rows.filter((each) => each.level === 'OPEN');
  return {
    ...{ version, sources, rows, requirements, open },
    /** The row of this id; an id that the catalogue does not have is a defect of the caller and throws. */
    row,
    requirement(id: string): Requirement {
      const found = row(id);
      return found.level === 'OPEN' ? unknownId(id, rows, ' as a MUST or SHOULD') : found;
    },
  } as const;
}

function unknownId(id: string, rows: readonly Row[], as = ''): never {
  const step = id.split('.')[0];
  const near = rows.filter((row) => row.step === step).map((row) => row.id);
  throw new SpecError(
    specFiles.requirements,
    '/requirements',
    `there is no requirement ${id}${as}${near.length > 0 ? `; of its step there are ${near.join(', ')}` : ''}`,
  );
}

function complaint(file: string, document: Json, error: ErrorObject): SpecError {
  const index = /^\/requirements\/(\d+)/.exec(error.instancePath)?.[1];
  const rows = (document as { requirements?: { id?: string }[] } | null)?.requirements;
  const id = index === undefined ? undefined : rows?.[Number(index)]?.id;
  const extra = error.keyword === 'additionalProperties' ? ` (${error.params['additionalProperty']})` : '';
  const allowed = error.keyword === 'enum' ? `: ${(error.params['allowedValues'] as string[]).join(', ')}` : '';
  return new SpecError(file, error.instancePath || '/', `${typeof id === 'string' ? `${id}: ` : ''}${error.message}${extra}${allowed}`);
}
