import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../index.js';

const pages = [
  ...readdirSync(packageFile()).filter((file) => file.endsWith('.md')),
  ...readdirSync(packageFile('docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

test.each(pages)('every link of %s to a file of the repository leads to one', (page) => {
  const links = [...readFileSync(packageFile(page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
    ([, link]) => link as string,
  );
  expect(links.filter((link) => !existsSync(packageFile(dirname(page), link)))).toEqual([]);
});

/** The headings of a page, as GitHub names them in addresses. */
const anchors = (page: string) =>
  [...readFileSync(packageFile(page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every link of %s to a section leads to one', (page) => {
  const links = [...readFileSync(packageFile(page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, file = '', anchor = '']) => !anchors(file === '' ? page : join(dirname(page), file)).includes(anchor));
  expect(broken.map(([link]) => link)).toEqual([]);
});

test('the index of decisions lists every record', () => {
  const index = readFileSync(packageFile('docs', 'decisions', 'README.md'), 'utf8');
  const records = readdirSync(packageFile('docs', 'decisions')).filter((file) => file !== 'README.md');
  expect(records.filter((file) => !index.includes(`](${file})`))).toEqual([]);
});
