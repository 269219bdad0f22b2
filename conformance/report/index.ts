export { attestation } from './attestation.js';
export { baselineOf, entriesText, newEntries, parseBaseline, readBaseline, updatedEntries } from './baseline.js';
export { earlReport } from './earl.js';
export { clip, html, markdownLine, oneLine, visible } from './escape.js';
export { explanation, isFailure } from './finding.js';
export { headline, skippedRequirements, verdictSentence } from './headline.js';
export { matrixHtml } from './html/matrix.js';
export { page } from './html/page.js';
export { htmlReport } from './html/report.js';
export { jsonReport, jsonText } from './json.js';
export { type Case, junitReport, junitSuites, junitXml } from './junit.js';
export { makeReport, serverTarget, type VerdictInput } from './make-report.js';
export { markdownReport, markdownTable } from './markdown.js';
export { compareReports, type NamedReport } from './matrix.js';
export { matrixMarkdown } from './matrix-markdown.js';
export {
  complaint,
  InputFileError,
  parseJson,
  parseReport,
  readReport,
  readText,
  reportSchema,
  reportSchemaId,
  schemaValidator,
  typeWords,
} from './read.js';
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
export { outcomeWords, stepTitles, timeWords, verdictTones, verdictWords } from './words.js';
export { draftsOf, writeWhole } from './write-whole.js';
