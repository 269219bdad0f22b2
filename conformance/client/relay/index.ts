export { inPairs } from './lines.js';
export { noAnswer } from './login.js';
export { openRelay } from './relay.js';
export { headOf, type Observe, upstreamOf } from './upstream.js';
