export { type ConformanceOptions, defaults, OptionError, type Progress } from './conformance-options.js';
export { runConformance } from './run.js';
export { selectedIds } from './selection.js';
export { settle } from './settle.js';
