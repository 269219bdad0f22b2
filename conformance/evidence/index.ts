export { type CurlContext, curlScript } from './curl.js';
export { type RecordContext, type ReportExchange, recordChain } from './record.js';
export { createRedactor, type Redactor } from './redact.js';
export { truncateBodies, truncateBody } from './truncate-body.js';
