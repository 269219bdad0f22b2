import { existsSync, readFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.js';

const figures = /(?<=<!-- figures -->\n\n)[\s\S]*?(?=\n\n<!-- end of figures -->)/;

/** A page of docs/ whose figures are replaced by these parts. What is written around the figures stays. */
export function withFigures(page: string, parts: readonly string[]): string {
  return readFileSync(packageFile('docs', page), 'utf8').replace(figures, () => parts.join('\n\n'));
}

/** What was measured and is kept in docs/; undefined where it was not measured yet. */
export function measured<T>(file: string): T | undefined {
  const path = packageFile('docs', file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}
