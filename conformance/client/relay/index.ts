export { inPairs } from './lines.js';
export { type Listener, listenAt } from './listen.js';
export { type LoginUser, noAnswer } from './login.js';
export { openRelay } from './relay.js';
export { upstreamOf } from './upstream.js';
