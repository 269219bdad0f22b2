export { curlScript } from './curl.js';
export { recordChain, truncateBodies, truncateBody } from './record.js';
export { createRedactor, pairIn, type Redactor } from './redact.js';
export { SecretIndex } from './secret-index.js';
