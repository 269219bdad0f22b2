export { baselineOf, baselineText, entriesText, parseBaseline, readBaseline, updatedEntries } from './baseline.js';
export { earlReport } from './earl.js';
export { visible } from './escape.js';
export { explanation, isFailure } from './finding.js';
export { verdictSentence } from './headline.js';
export { matrixHtml } from './html/matrix.js';
export { htmlReport } from './html/report.js';
export { jsonReport } from './json.js';
export { junitReport } from './junit.js';
export { makeReport, serverTarget, type VerdictInput } from './make-report.js';
export { markdownReport, markdownTable } from './markdown.js';
export { compareReports, type NamedReport } from './matrix.js';
export { matrixMarkdown } from './matrix-markdown.js';
export { InputFileError, parseReport, readReport, reportSchema, reportSchemaId } from './read.js';
export type {
  Outcome,
  Report,
  ReportCheck,
  ReportClient,
  ReportExchange,
  ReportObservation,
  ReportRequirement,
  ReportTarget,
  Verdict,
} from './report.js';
export { selectedIds, selectors } from './selection.js';
export { terminalReport } from './terminal.js';
export { exitCode, failsStrictly } from './verdict.js';
export { stepTitles } from './words.js';
export { draftsOf, writeWhole } from './write-whole.js';
