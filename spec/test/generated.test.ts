import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { generatedFiles } from '../../conformance/generated.js';
import { packageFile } from '../index.js';

test.each(generatedFiles.map((each) => [each.file, each] as const))('%s is fresh', async (file, { text }) => {
  const committed = readFileSync(packageFile(file), 'utf8');
  expect(committed === (await text()), `${file} is stale: run npm run generate`).toBe(true);
});

// The tool that writes the types gets no more updates; whatever takes its place must write the same.
test('the types name every header, body and answer of the OpenAPI document', () => {
  const { components, paths } = parse(readFileSync(packageFile('spec', 'openapi.yaml'), 'utf8'));
  const typeOf = ({ $ref }: { $ref: string }) => $ref.slice(2).replace(/\/(\w+)/g, '["$1"]');
  const each = <From, To>(of: Record<string, From> | undefined, to: (value: From) => To) =>
    Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [name, to(value)]));
  type Answer = Record<'headers' | 'content', Record<string, { $ref: string }>>;
  type Operation = { operationId: string; responses: Record<string, { $ref: string }> };
  const operations = Object.values<{ get: Operation }>(paths).map(({ get }) => get);
  expect(treeOf(readFileSync(packageFile('spec', 'generated', 'openapi.ts'), 'utf8'))).toMatchObject({
    paths: each(paths, ({ get }: { get: Operation }) => ({ get: `operations["${get.operationId}"]` })),
    components: {
      headers: each(components.headers, () => expect.any(String)),
      schemas: each(components.schemas, () => expect.anything()),
      responses: each(components.responses, ({ headers, content }: Answer) => ({
        headers: each(headers, typeOf),
        content: each(content, () => expect.any(String)),
      })),
    },
    operations: Object.fromEntries(operations.map(({ operationId, responses }) => [operationId, { responses: each(responses, typeOf) }])),
  });
});

type Tree = { [name: string]: Tree | string };

/** The members of the interfaces in a text, down to what is no object. */
function treeOf(text: string): Tree {
  const source = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest, true);
  const members = (of: readonly ts.TypeElement[]): Tree =>
    Object.fromEntries(
      of.filter(ts.isPropertySignature).map(({ name, type }) => {
        const key = ts.isStringLiteral(name) ? name.text : name.getText();
        return [key, type !== undefined && ts.isTypeLiteralNode(type) ? members([...type.members]) : (type?.getText() ?? '')];
      }),
    );
  return Object.fromEntries(
    source.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, members([...each.members])]),
  );
}
