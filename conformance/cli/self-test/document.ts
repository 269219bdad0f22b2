import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from '../../../spec/index.js';
import { type Matrix, matrixPage, matrixPicture, type Stability } from '../../self-test/index.js';

const measured = packageFile('docs', 'self-test.json');
const figures = packageFile('docs', 'self-test-stability.json');

/** The page about the self-test and its picture, from what was measured. */
export function selfTestFiles(): { readonly path: string; readonly text: string }[] {
  const matrix = JSON.parse(readFileSync(measured, 'utf8')) as Matrix;
  const stability = existsSync(figures) ? (JSON.parse(readFileSync(figures, 'utf8')) as Stability) : undefined;
  return [
    { path: packageFile('docs', 'self-test.md'), text: matrixPage(matrix, stability) },
    { path: packageFile('docs', 'images', 'self-test.svg'), text: matrixPicture(matrix) },
  ];
}

/** What the page needs of a matrix, a row a line: without the requirements that were answered, which are all of them in most runs. */
function keep(file: string): void {
  const { rows, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Matrix;
  const lines = rows.map((row) => JSON.stringify(row, (name, value: unknown) => (name === 'answered' ? [] : value)));
  writeFileSync(measured, `${JSON.stringify(rest).slice(0, -1)},"rows":[\n${lines.join(',\n')}\n]}\n`);
}

// Call: tsx conformance/cli/self-test/document.ts [MATRIX.json]
if (process.argv[1]?.endsWith('document.ts')) {
  const [, , file] = process.argv;
  if (file !== undefined) keep(file);
  mkdirSync(packageFile('docs', 'images'), { recursive: true });
  for (const { path, text } of selfTestFiles()) writeFileSync(path, text);
}
