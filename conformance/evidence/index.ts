export { curlScript } from './curl.js';
export { type ReportExchange, type ReportRequest, recordChain } from './record.js';
export { createRedactor, type Redactor } from './redact.js';
export { SecretIndex } from './secret-index.js';
export { truncateBodies, truncateBody } from './truncate-body.js';
