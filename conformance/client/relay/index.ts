export { inPairs } from './lines.js';
export { noAnswer } from './login.js';
export { openRelay } from './relay.js';
export { headOf, upstreamOf } from './upstream.js';
