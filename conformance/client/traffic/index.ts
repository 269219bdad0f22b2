export { type Act, bringsLiveToken, isLogin, readTraffic, type Traffic } from './acts.js';
export { type Heard, Log, type Received } from './log.js';
export { credentialsIn, type Secret, secretIn, secretsOf, wholeText } from './secrets.js';
