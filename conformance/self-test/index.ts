export { measured, withFigures } from './docs-page.js';
export { type Depth, type Examination, examine } from './examine.js';
export { allRight, countsOf, type Matrix, matrixJson } from './matrix.js';
export { selfTestPage, selfTestPicture } from './page.js';
export { examineRow, isRight, type Row, unjudged, withoutLaw } from './row.js';
export type { Specimen } from './specimen.js';
export { complaint, matrixTable } from './table.js';
