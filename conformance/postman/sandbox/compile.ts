import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { packageFile } from '../../../spec/index.js';

/** Where the functions stand that the scripts of the collection are made of. */
const files = [
  'wire/exchange',
  ...[
    'addresses',
    'auth-challenges',
    'headers',
    'json',
    'json-scan',
    'judgement',
    'media-type',
    'members',
    'scanner',
    'steps',
    'web-links',
  ].map((name) => `expect/${name}`),
  ...['answer', 'clock', 'headers', 'library', 'memory', 'refusals', 'steps', 'verdict'].map((name) => `postman/sandbox/${name}`),
];

/** The committed file with the library in JavaScript. The package reads it instead of compiling, since `typescript` is not installed with it. */
export function compiledLibraryText(): string {
  const lines = compiledLibrary().map((line) => `  ${JSON.stringify(line)},\n`);
  return `/** Written by \`npm run generate\` from conformance/postman/sandbox. */\nexport const libraryLines: readonly string[] = [\n${lines.join('')}];\n`;
}

/** The function `library` and everything it needs, as JavaScript without imports. */
export function compiledLibrary(): string[] {
  const declared = new Map<string, ts.Statement>();
  const imported = new Set<string>();
  for (const file of files) {
    const text = readFileSync(packageFile('conformance', `${file}.ts`), 'utf8');
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true).statements) {
      for (const name of importedNames(statement)) imported.add(name);
      for (const name of declaredNames(statement)) {
        if (declared.has(name))
          throw new Error(`the scripts of the Postman collection have two parts named ${name}; the second is in ${file}.ts`);
        declared.set(name, statement);
      }
    }
  }
  const kept = new Set<ts.Statement>();
  const keep = (name: string): void => {
    const statement = declared.get(name);
    if (statement === undefined && imported.has(name))
      throw new Error(`the scripts of the Postman collection need ${name}, which stands in none of their files`);
    if (statement === undefined || kept.has(statement)) return;
    kept.add(statement);
    identifiers(statement).forEach(keep);
  };
  keep('library');
  const source = [...new Set(declared.values())].filter((statement) => kept.has(statement)).map(withoutExport);
  const { outputText } = ts.transpileModule(source.join('\n'), {
    compilerOptions: { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext },
  });
  return outputText
    .replace(/^"use strict";/, '')
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(?: {4})+/, (blanks) => ' '.repeat(blanks.length / 2)));
}

function withoutExport(statement: ts.Statement): string {
  return statement
    .getFullText()
    .trim()
    .replace(/^export /m, '');
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name ? [statement.name.text] : [];
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.map(({ name }) => name.getText()) : [];
}

/** Names of values; one that is renamed on its way in could not be found again. */
function importedNames(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement) || statement.importClause === undefined || statement.importClause.isTypeOnly) return [];
  const { namedBindings, name } = statement.importClause;
  if (
    name !== undefined ||
    namedBindings === undefined ||
    !ts.isNamedImports(namedBindings) ||
    namedBindings.elements.some((each) => each.propertyName)
  )
    throw new Error(`the scripts of the Postman collection can only import values by their own names, unlike ${statement.getText()}`);
  return namedBindings.elements.filter((each) => !each.isTypeOnly).map((each) => each.name.text);
}

/** The names that a statement mentions, but not those of types and properties. */
function identifiers(node: ts.Node): string[] {
  if (ts.isTypeNode(node)) return [];
  if (ts.isPropertyAccessExpression(node)) return identifiers(node.expression);
  if (ts.isPropertyAssignment(node)) return identifiers(node.initializer);
  return ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap(identifiers);
}
