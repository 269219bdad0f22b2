export { type Depth, type Examination, examine } from './examine.js';
export { allRight, type Counts, countsOf, type Matrix } from './matrix.js';
export { matrixPage } from './page.js';
export { matrixPicture } from './picture.js';
export { type Alarm, examineRow, isRight, type Row, withoutLaw } from './row.js';
export type { RunningSpecimen, Specimen } from './specimen.js';
export { busyLaws, type Stability, stabilityOf, type Times } from './stability.js';
export { complaint, matrixTable, summary } from './table.js';
