import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { jsonReport, makeReport, parseReport, reportSchema, reportSchemaId } from '../index.js';
import { brokenReport, cleanFindings, cleanReport, failingReport, input } from './samples.js';

test.each([
  ['clean', cleanReport()],
  ['broken', brokenReport()],
  ['failing', failingReport()],
  ['partial', makeReport(input({ coverage: undefined }))],
  ['error', makeReport(input({ findings: [], error: 'Unreachable.' }))],
  ['interrupted', makeReport(input({ interrupted: 'Stopped by SIGINT.' }))],
  ['stale', makeReport(input({ options: { ...input().options, baseline: [{ requirement: 'challenge.status', reason: 'x' }] } }))],
  ['off', makeReport(input({ options: { ...input().options, auth: 'off' }, findings: cleanFindings('off') }))],
])('the %s report follows the schema', (_, report) => {
  expect(parseReport(jsonReport(report), 'report.json')).toBeTruthy();
});

interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Record<string, Schema>;
  readonly type?: string | string[];
  readonly const?: unknown;
  readonly enum?: unknown[];
  readonly required?: string[];
  readonly properties?: Record<string, Schema>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema | false;
  readonly prefixItems?: Schema[];
  readonly oneOf?: Schema[];
}

test('the schema and the TypeScript type agree', () => {
  const file = fileURLToPath(new URL('../report.ts', import.meta.url));
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file) as ts.SourceFile;
  const declaration = source.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === 'Report',
  ) as ts.InterfaceDeclaration;
  const schema = reportSchema() as Schema;
  expect(schema.$id).toBe(reportSchemaId);

  /** Both sides in one notation, so that a difference shows as a difference of texts. */
  const ofType = (type: ts.Type): unknown => {
    if (type.isUnion()) return union(type.types.map(ofType));
    if (type.isLiteral()) return `"${String(type.value)}"`;
    if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.Null | ts.TypeFlags.BooleanLiteral))
      return checker.typeToString(type);
    if (checker.isTupleType(type)) return { tuple: checker.getTypeArguments(type as ts.TypeReference).map(ofType) };
    if (checker.isArrayType(type)) return { array: ofType(checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type) };
    return Object.fromEntries(
      type
        .getProperties()
        .map((property) => {
          const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
          return [`${property.name}${optional ? '?' : ''}`, ofType(checker.getTypeOfSymbolAtLocation(property, declaration))];
        })
        .sort(),
    );
  };
  const ofSchema = (given: Schema): unknown => {
    if (given.$ref !== undefined) return ofSchema(schema.$defs?.[given.$ref.replace('#/$defs/', '')] as Schema);
    if (given.oneOf !== undefined) return union(given.oneOf.map(ofSchema));
    if (given.enum !== undefined) return union(given.enum.map((value) => `"${String(value)}"`));
    if (given.const !== undefined)
      return given.const === reportSchemaId ? 'string' : typeof given.const === 'string' ? `"${given.const}"` : String(given.const);
    if (Array.isArray(given.type)) return union(given.type.map((type) => ofSchema({ type })));
    if (given.type === 'integer') return 'number';
    if (given.type === 'array')
      return given.prefixItems === undefined ? { array: ofSchema(given.items as Schema) } : { tuple: given.prefixItems.map(ofSchema) };
    if (given.type !== 'object') return given.type;
    expect(given.additionalProperties).toBe(false);
    return Object.fromEntries(
      Object.entries(given.properties ?? {})
        .map(([name, each]) => [`${name}${given.required?.includes(name) ? '' : '?'}`, ofSchema(each)])
        .sort(),
    );
  };
  const union = (members: unknown[]) => [...new Set(members.map((member) => JSON.stringify(member)))].sort();

  const typed = ofType(checker.getTypeAtLocation(declaration)) as Record<string, unknown>;
  // The clock's kind is a text to callers; the schema lists the kinds there are.
  const written = ofSchema(schema) as { target: { clock: unknown }; 'coverage?': { strength: unknown } };
  expect(written.target.clock).toEqual(['"exec"', '"faketime"', '"http"', '"none"', '"wait"'].map((kind) => JSON.stringify(kind)));
  written.target.clock = 'string';
  // So is the strength a number.
  expect(written['coverage?'].strength).toEqual(['"2"', '"3"'].map((strength) => JSON.stringify(strength)));
  written['coverage?'].strength = 'number';
  // A report in memory always says what was skipped; a file of an older kit need not.
  const { 'skipped?': skipped, ...others } = written as unknown as Record<string, unknown>;
  expect({ ...others, skipped }).toEqual(typed);
});
