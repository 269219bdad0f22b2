export { type Act, bringsLiveToken, isLogin } from './acts.js';
export { Log, planOf, type LoggedRequest, type Received } from './log.js';
export { type ClientUser, secretIn, wholeText } from './secrets.js';
export { readTraffic, type Traffic } from './traffic.js';
