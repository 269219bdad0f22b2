export { OptionError } from '../../spec/index.js';
export { monitorAnswers } from './answer-monitor.js';
export { type Carried, seenOf } from './carried.js';
export type { ConformanceOptions, Progress } from './conformance-options.js';
export { explainFindings } from './explain.js';
export { runConformance } from './run.js';
export { validateOptions } from './validate-options.js';
