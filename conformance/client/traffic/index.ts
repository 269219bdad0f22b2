export { type Act, bringsLiveToken, isLogin } from './acts.js';
export { Log, type LoggedRequest, planOf, type Received } from './log.js';
export { type ClientUser, secretsOf, wholeText } from './secrets.js';
export { readTraffic, type Traffic } from './traffic.js';
