import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from '../../../spec/index.js';
import { type Matrix, matrixPage, matrixPicture, type Stability } from '../../self-test/index.js';

/** Writes the page about the self-test and its picture from what was measured: tsx conformance/cli/self-test/document.ts */
export function selfTestFiles(): { readonly path: string; readonly text: string }[] {
  const matrix = JSON.parse(readFileSync(packageFile('docs/self-test.json'), 'utf8')) as Matrix;
  const figures = packageFile('docs/self-test-stability.json');
  const stability = existsSync(figures) ? (JSON.parse(readFileSync(figures, 'utf8')) as Stability) : undefined;
  return [
    { path: packageFile('docs/self-test.md'), text: matrixPage(matrix, stability) },
    { path: packageFile('docs/images/self-test.svg'), text: matrixPicture(matrix) },
  ];
}

if (process.argv[1]?.endsWith('document.ts')) {
  mkdirSync(packageFile('docs/images'), { recursive: true });
  for (const { path, text } of selfTestFiles()) writeFileSync(path, text);
}
