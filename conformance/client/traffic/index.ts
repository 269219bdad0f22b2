export { type Act, bringsLiveToken, isLogin, readTraffic, type Traffic } from './acts.js';
export { Log, type LoggedRequest, type Received } from './log.js';
export { credentialsIn, type Secret, secretIn, secretsOf, wholeText } from './secrets.js';
