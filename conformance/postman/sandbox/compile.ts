import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { packageFile } from '../../../spec/index.js';

/** The rooms, and their files, with the functions that the scripts of the collection are made of. */
const sources = {
  wire: 'exchange form-words from-target',
  expect: 'addresses auth-challenges headers json json-scan judgement media-type members scanner steps web-links',
  'postman/sandbox': 'answer clock headers library refusals steps verdict',
};

/** The committed file with the library in JavaScript. The package reads it, because `typescript` is not installed with it. */
export function compiledLibraryText(): string {
  const lines = compiledLibrary().map((line) => `  ${JSON.stringify(line)},\n`);
  return `/** Written by \`npm run generate\` from conformance/postman/sandbox. */\nexport const libraryLines: readonly string[] = [\n${lines.join('')}];\n`;
}

/** The function `library` and everything it needs, as JavaScript without imports. */
export function compiledLibrary(): string[] {
  const statements = Object.entries(sources).flatMap(([room, files]) =>
    files.split(' ').flatMap((file) => statementsOf(`${room}/${file}.ts`)),
  );
  const imported = new Set(statements.filter(ts.isImportDeclaration).flatMap(identifiers));
  const declared = new Map<string, ts.Statement>();
  for (const [name, statement] of statements.flatMap((each) => declaredNames(each).map((name) => [name, each] as const))) {
    if (declared.has(name)) throw new Error(`two functions of the Postman collection have the name ${name}`);
    declared.set(name, statement);
  }
  const kept = new Set<ts.Statement>();
  const keep = (name: string): void => {
    const statement = declared.get(name);
    if (statement === undefined && imported.has(name))
      throw new Error(`the Postman collection needs ${name}, which is in none of its sources`);
    if (statement === undefined || kept.has(statement)) return;
    kept.add(statement);
    identifiers(statement).forEach(keep);
  };
  keep('library');
  const typed = statements
    .filter((each) => kept.has(each))
    .map((each) =>
      each
        .getFullText()
        .trim()
        .replace(/^export /m, ''),
    );
  const compilerOptions = { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext };
  const script = ts.transpileModule(typed.join('\n'), { compilerOptions }).outputText.replace(/^"use strict";/, '');
  return script
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(?: {4})+/, (blanks) => ' '.repeat(blanks.length / 2)));
}

function statementsOf(file: string): readonly ts.Statement[] {
  return ts.createSourceFile(file, readFileSync(packageFile('conformance', file), 'utf8'), ts.ScriptTarget.ESNext, true).statements;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? ''];
  if (ts.isClassDeclaration(statement)) return [statement.name?.text ?? ''];
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.map(({ name }) => name.getText()) : [];
}

/** The names that a statement mentions, but not those of types and properties. */
function identifiers(node: ts.Node): string[] {
  if (ts.isTypeNode(node)) return [];
  if (ts.isPropertyAccessExpression(node)) return identifiers(node.expression);
  if (ts.isPropertyAssignment(node)) return identifiers(node.initializer);
  return ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap(identifiers);
}
