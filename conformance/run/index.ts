export { type ConformanceOptions, defaults, OptionError, type Progress } from './options.js';
export { runConformance } from './run.js';
