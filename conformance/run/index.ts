export { OptionError } from '../../spec/index.js';
export { monitorAnswers } from './answer-monitor.js';
export { explainFindings } from './explain.js';
export type { Progress } from './progress.js';
export { type Carried, runConformance, seenOf } from './run.js';
export { type ConformanceOptions, validateOptions } from './validate-options.js';
