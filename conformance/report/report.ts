import type { components } from './generated/schema.js';

type Schemas = components['schemas'];
type Written = Schemas['report'];

/** The report of one run: what every writer writes, free of secrets. Its types are those of `report.schema.json`. */
export interface Report extends Written {
  /** Ids of the rows that --skip or --only left out. Only in the file of an older kit they may be missing. */
  readonly skipped: readonly string[];
}

export type Verdict = Report['verdict'];
export type ReportTarget = Schemas['target'];
export type ReportClient = Schemas['client'];
export type ReportRequirement = Schemas['requirement'];
export type Outcome = ReportRequirement['outcome'];
export type ReportCheck = Schemas['check'];
export type ReportExchange = ReportCheck['exchanges'][number];
export type ReportObservation = Schemas['observation'];
