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
  const kept = new Map<ts.Statement, string>();
  const names = new Set<string>();
  const keep = (file: string, name: string): void => {
    const found = declarationOf(file, name);
    if (found === undefined || kept.has(found.statement)) return;
    const taken = declaredNames(found.statement).find((each) => names.has(each));
    if (taken !== undefined) throw new Error(`two functions of the Postman collection have the name ${taken}`);
    for (const each of declaredNames(found.statement)) names.add(each);
    // What it needs stands before it: a constant must have its value when another is made of it.
    kept.set(found.statement, '');
    for (const each of identifiers(found.statement)) keep(found.file, each);
    kept.delete(found.statement);
    kept.set(
      found.statement,
      found.statement
        .getFullText()
        .trim()
        .replace(/^export /m, ''),
    );
  };
  keep(packageFile('conformance', 'postman', 'sandbox', 'library.ts'), 'library');
  const compilerOptions = { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext };
  const script = ts.transpileModule([...kept.values()].join('\n'), { compilerOptions }).outputText.replace(/^"use strict";/, '');
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

interface Declaration {
  readonly file: string;
  readonly statement: ts.Statement;
}

/** The statement that declares what a file calls by this name; undefined for what the language or the sandbox has by itself. */
function declarationOf(file: string, name: string): Declaration | undefined {
  for (const statement of statementsOf(file)) {
    if (declaredNames(statement).includes(name)) return { file, statement };
    const from = importedFrom(statement, name);
    if (from === undefined) continue;
    if (!from.startsWith('.')) throw new Error(`the Postman collection needs ${name} of ${from}, which is not there in Postman`);
    return declarationOf(join(dirname(file), from.replace(/\.js$/, '.ts')), name);
  }
  return undefined;
}

/** The module from which a statement imports, or exports again, a value of this name. */
function importedFrom(statement: ts.Statement, name: string): string | undefined {
  const isHere = (list: ts.NamedImportBindings | ts.NamedExportBindings | undefined) =>
    list !== undefined &&
    (ts.isNamedImports(list) || ts.isNamedExports(list)) &&
    list.elements.some((each) => each.name.text === name && !each.isTypeOnly);
  const list = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : ts.isExportDeclaration(statement)
      ? statement.exportClause
      : undefined;
  if (!isHere(list)) return undefined;
  return ((statement as ts.ImportDeclaration | ts.ExportDeclaration).moduleSpecifier as ts.StringLiteral).text;
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
