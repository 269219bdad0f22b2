import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.js';
import { figuresText, type Measured } from './report/page.js';

const data = join(root, 'docs', 'performance.json');
export const page = join(root, 'docs', 'performance.md');
const figures = /(?<=<!-- figures -->\n\n)[\s\S]*?(?=\n\n<!-- end of figures -->)/;

/** The page about speed, its figures replaced by those of the file beside it. What is written around them stays. */
export function withFigures(text: string): string {
  const measured = JSON.parse(readFileSync(data, 'utf8')) as Measured;
  return text.replace(figures, () => figuresText(measured));
}

// Call: tsx bench/document.ts [FILE], FILE being what `npm run bench -- --json FILE` wrote.
if (process.argv[1]?.endsWith('document.ts')) {
  const [, , file] = process.argv;
  if (file !== undefined) copyFileSync(file, data);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8')));
}
