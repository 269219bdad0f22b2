import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../../spec/index.js';
import { commands } from '../commands/index.js';
import { parseCall } from '../parse.js';

const pages = [
  'README.md',
  ...['test-my-server', 'gate-my-ci', 'use-the-reference-server', 'reference-server', 'postman', 'self-test'].map(
    (name) => `docs/${name}.md`,
  ),
];

/** The calls of hydrauth in the shell blocks of a page, as words. A value in quotes or from a variable is one word. */
function callsOf(page: string): string[][] {
  const text = readFileSync(packageFile(page), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => (block as string).replace(/\\\n\s*/g, ' '));
  const calls = blocks.flatMap((block) =>
    [...block.matchAll(/^(?:[A-Z_]+=\S+ )*(?:npx )?hydrauth ([^\n|>&#]+)/gm)].map(([, words]) => words as string),
  );
  return calls.map((words) => [...words.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, '')));
}

test('the guides call hydrauth', () => {
  expect(pages.flatMap(callsOf).length).toBeGreaterThan(10);
});

test.each(pages.flatMap((page) => callsOf(page).map((words) => [page, words.join(' '), words] as const)))(
  '%s: hydrauth %s has this command and these options',
  (_, __, [name = '', ...words]) => {
    const command = commands.find((each) => each.name === name);
    expect(command?.name).toBe(name);
    if (command !== undefined) expect(() => parseCall(command, words)).not.toThrow();
  },
);
