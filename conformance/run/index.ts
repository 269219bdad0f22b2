export { type ConformanceOptions, defaults, OptionError, type Progress, settle } from './options.js';
export { runConformance, selectedIds } from './run.js';
