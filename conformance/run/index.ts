export { OptionError } from '../../spec/index.js';
export type { ConformanceOptions, Progress } from './conformance-options.js';
export { runConformance } from './run.js';
export { validateOptions } from './validate-options.js';
