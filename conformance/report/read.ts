import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { packageFile, placeIn, readGiven } from '../../spec/index.js';
import { clip, oneLine } from './escape.js';
import type { Report } from './report.js';

const expected = 'a report written by hydrauth with --json is expected';

/** Names the format of reports. A change that breaks readers gets another number. */
export const reportSchemaId = 'https://hydrauth.example/schema/report-1.json';

export function reportSchema(): object {
  return JSON.parse(readFileSync(packageFile('conformance', 'report', 'report.schema.json'), 'utf8'));
}

/** A file given to the kit that it cannot use. Names the file, the place in it, and what is expected. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError';
  readonly code = 'HYDRAUTH_INPUT_FILE';

  constructor(
    readonly file: string,
    problem: string,
  ) {
    super(`${file}: ${problem}`);
  }
}

export function readText(file: string, wanted: string, problem = 'cannot be read'): string {
  return readGiven(file, (code) => new InputFileError(file, `${problem} (${code}); ${wanted}`));
}

export const readJson = (file: string, wanted: string, problem?: string): unknown =>
  parseJson(readText(file, wanted, problem), file, wanted);

function parseJson(text: string, file: string, wanted: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputFileError(file, `not JSON${placeIn(error as Error)}; ${wanted}`);
  }
}

let ajv: Ajv2020 | undefined;
let validate: ValidateFunction | undefined;

/** Reads a report that was written earlier. An error names the file and the place in it. */
export const readReport = (file: string): Report => parseReport(readText(file, expected), file);

export function parseReport(text: string, file: string): Report {
  const value = parseJson(text, file, expected);
  const version = (value as { $schema?: unknown } | null)?.$schema;
  if (typeof version === 'string' && version !== reportSchemaId)
    throw new InputFileError(file, `its format is ${oneLine(clip(JSON.stringify(version), 200))}; this kit reads ${reportSchemaId}`);
  validate ??= schemaValidator(reportSchema());
  const [wrong] = validate(value) ? [] : (validate.errors ?? []);
  if (wrong !== undefined) throw new InputFileError(file, `at ${oneLine(wrong.instancePath) || '/'}: ${complaint(wrong)}; ${expected}`);
  // Reports of version 0.1 do not say what was skipped.
  const { skipped = [], ...others } = value as Omit<Report, 'skipped'> & Partial<Report>;
  return { ...others, skipped };
}

/** Compiles each schema once. */
export function schemaValidator(schema: object): ValidateFunction {
  ajv ??= newAjv();
  return ajv.compile(schema);
}

function newAjv(): Ajv2020 {
  // Loaded only when a file is read, because a run never reads one.
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as typeof import('ajv-formats');
  return addFormats.default(new Ajv2020({ strict: true, strictTuples: false, allowUnionTypes: true, verbose: true })) as Ajv2020;
}

/** The types of JSON in words. */
export const typeWords: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object' },
};

/** What a schema says against a value, without where it stands. Where null is allowed, nobody needs to be told. */
export function complaint(error: ErrorObject | undefined): string {
  if (error === undefined) return 'not valid';
  const { keyword, message, params } = error;
  if (keyword === 'required') return `has no ${params['missingProperty']}`;
  const types = [params['type']].flat().flatMap((type) => typeWords[type] ?? []);
  if (keyword === 'type') return `must be ${types.join(' or ')}`;
  if (keyword === 'enum') return `${message} (${(params['allowedValues'] as unknown[]).join(', ')})`;
  if (keyword === 'additionalProperties') return `has an unknown member (${oneLine(clip(String(params['additionalProperty']), 80))})`;
  return `${message}`;
}
