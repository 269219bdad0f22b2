export { baselineEntries, baselineText, parseBaseline, readBaseline, staleEntries, validateBaseline } from './baseline.js';
export { InputFileError } from './errors.js';
export { clip, oneLine, visible, wellFormed } from './escape.js';
export { jsonReport } from './json.js';
export { kitVersion, reportSchema, reportSchemaId } from './kit.js';
export type {
  Outcome,
  Report,
  ReportCheck,
  ReportExchange,
  ReportKit,
  ReportObservation,
  ReportRequirement,
  ReportTarget,
  Verdict,
} from './report.js';
export { byStep, type Counts, closingLine, countOutcomes, tellingCheck, verdictSentence } from './summary.js';
export { type TerminalLook, terminalReport } from './terminal.js';
export { exitCode, failsStrictly, makeReport, type VerdictInput } from './verdict.js';
export { outcomeWords, replayCommand, seedWords, stepTitles, timeWords, verdictWords } from './words.js';
