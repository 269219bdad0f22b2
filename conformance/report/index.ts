export { baselineEntries, baselineText, parseBaseline, readBaseline, staleEntries, validateBaseline } from './baseline.js';
export { earlReport } from './earl.js';
export { InputFileError } from './errors.js';
export { clip, oneLine, visible, wellFormed } from './escape.js';
export { explanation } from './explanation.js';
export { htmlReport } from './html.js';
export { jsonReport } from './json.js';
export { type JunitGate, junitReport } from './junit.js';
export { kitVersion, reportSchema, reportSchemaId } from './kit.js';
export { markdownReport } from './markdown.js';
export { markdownTable } from './markdown-table.js';
export {
  compareReports,
  type Matrix,
  type MatrixColumn,
  type MatrixObservation,
  type MatrixRequirement,
  type NamedReport,
} from './matrix.js';
export { matrixHtml } from './matrix-html.js';
export { matrixMarkdown } from './matrix-markdown.js';
export { parseReport, readReport } from './read.js';
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
