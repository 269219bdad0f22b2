export { type Depth, type Examination, examine, type Specimen } from './examine.js';
export {
  complaint,
  countsOf,
  goldenDifferences,
  goldenText,
  type Matrix,
  matrixJson,
  matrixOf,
  matrixTable,
  parseGolden,
} from './matrix.js';
export { measured, selfTestPage, withFigures } from './page.js';
export { examineQuickly, examineRow, isRight, type Row, unjudged, withoutLaw } from './row.js';
