import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { packageFile } from '../../../spec/index.js';

/** The committed file with the library in JavaScript. The package reads it, because `typescript` is not installed with it. */
export function compiledLibraryText(): string {
  const lines = compiledLibrary().map((line) => `  ${JSON.stringify(line)},\n`);
  return `/** Written by \`npm run generate\` from conformance/postman/sandbox. */\nexport const libraryLines: readonly string[] = [\n${lines.join('')}];\n`;
}

/** The function `library` and everything it needs, wherever that is imported from, as JavaScript without imports. */
export function compiledLibrary(): string[] {
  const kept = new Set<ts.Statement>();
  const keep = (name: string, from: string): void => {
    const [statement, file] = declarationOf(name, from) ?? [];
    if (statement === undefined || file === undefined || kept.has(statement)) return;
    const taken = [...kept].flatMap(declaredNames).find((each) => declaredNames(statement).includes(each));
    if (taken !== undefined) throw new Error(`two functions of the Postman collection have the name ${taken}`);
    kept.add(statement);
    for (const each of identifiers(statement)) keep(each, file);
    // What it needs stands before it: a constant must have its value when another is made of it.
    kept.delete(statement);
    kept.add(statement);
  };
  keep('library', packageFile('conformance', 'postman', 'sandbox', 'library.ts'));
  const texts = [...kept].map((statement) =>
    statement
      .getFullText()
      .trim()
      .replace(/^export /m, ''),
  );
  const compilerOptions = { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext };
  const script = ts.transpileModule(texts.join('\n'), { compilerOptions }).outputText.replace(/^"use strict";/, '');
  return script
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(?: {4})+/, (blanks) => ' '.repeat(blanks.length / 2)));
}

const parsed = new Map<string, readonly ts.Statement[]>();

function statementsOf(file: string): readonly ts.Statement[] {
  const known = parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true).statements;
  parsed.set(file, known);
  return known;
}

/** The statement that declares what a file calls by this name, and its file; undefined for what the language or the sandbox has by itself. */
function declarationOf(name: string, file: string): readonly [ts.Statement, string] | undefined {
  for (const statement of statementsOf(file)) {
    if (declaredNames(statement).includes(name)) return [statement, file];
    const from = importedFrom(statement, name);
    if (from === undefined) continue;
    if (!from.startsWith('.')) throw new Error(`the Postman collection needs ${name} of ${from}, which is not there in Postman`);
    return declarationOf(name, join(dirname(file), from.replace(/\.js$/, '.ts')));
  }
  return undefined;
}

/** The module from which a statement imports, or exports again, a value of this name. */
function importedFrom(statement: ts.Statement, name: string): string | undefined {
  const isImport = ts.isImportDeclaration(statement);
  if (!isImport && !ts.isExportDeclaration(statement)) return undefined;
  const list = isImport ? statement.importClause?.namedBindings : statement.exportClause;
  const isHere = list && 'elements' in list && list.elements.some((each) => each.name.text === name && !each.isTypeOnly);
  return isHere && statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name?.text ?? ''];
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.map(({ name }) => name.getText()) : [];
}

/** The names that a statement mentions, but not those of types and properties. */
function identifiers(node: ts.Node): string[] {
  if (ts.isTypeNode(node)) return [];
  if (ts.isPropertyAccessExpression(node)) return identifiers(node.expression);
  if (ts.isPropertyAssignment(node)) return identifiers(node.initializer);
  return ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap(identifiers);
}
