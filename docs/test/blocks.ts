import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.js';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** Pages that a test compares with what they are generated from. */
const generated = ['command-line.md', 'coverage.md', 'self-test.md', 'performance.md'];

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(packageFile('docs'))
    .filter((file) => file.endsWith('.md') && !generated.includes(file))
    .map((file) => `docs/${file}`),
];

/** The blocks of a page in order. In a list they are indented. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(packageFile(page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(({ index, 1: indent = '', 2: language = '', 3: body = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}
