export { baselineOf, baselineText, entriesText, parseBaseline, readBaseline, updatedEntries } from './baseline.js';
export { earlReport } from './earl.js';
export { visible } from './escape.js';
export { explanation } from './explanation.js';
export { htmlReport } from './html.js';
export { jsonReport } from './json.js';
export { junitReport } from './junit.js';
export { makeReport, serverTarget, type VerdictInput } from './make-report.js';
export { markdownReport } from './markdown.js';
export { markdownTable } from './markdown-table.js';
export { compareReports, type NamedReport } from './matrix.js';
export { matrixHtml } from './matrix-html.js';
export { matrixMarkdown } from './matrix-markdown.js';
export { parseReport, readReport } from './read.js';
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
export { reportSchema, reportSchemaId } from './schema.js';
export { selectedIds, selectors } from './selection.js';
export { verdictSentence } from './summary.js';
export { terminalReport } from './terminal.js';
export { exitCode, failsStrictly } from './verdict.js';
