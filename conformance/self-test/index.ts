export { measured, withFigures } from './docs-page.js';
export { type Depth, type Examination, examine, type Specimen } from './examine.js';
export { goldenDifferences, goldenText } from './golden.js';
export { allRight, countsOf, type Matrix, matrixJson } from './matrix.js';
export { selfTestPage, selfTestPicture } from './page.js';
export { examineQuickly } from './quick.js';
export { examineRow, isRight, type Row, unjudged, withoutLaw } from './row.js';
export { complaint, matrixTable } from './table.js';
