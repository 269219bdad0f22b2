export {
  type ClientConformanceOptions,
  type ClientService,
  type Connect,
  type ReadRequest,
  runClientConformance,
  type Said,
} from './client/index.js';
export type { Finding, Observation } from './finding.js';
export type { BaselineEntry, User } from './options.js';
export type { Outcome, Report, ReportCheck, ReportExchange, ReportObservation, ReportRequirement, Verdict } from './report/index.js';
export { exitCode } from './report/index.js';
export { type ConformanceOptions, OptionError, type Progress, runConformance } from './run/index.js';
