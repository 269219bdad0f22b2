export { type Deployment, deploy, makeStore } from './deployment.js';
export { incoming } from './incoming.js';
export { type AuthSettings, authChecks, authSettings, type HydraAuthOptions } from './options.js';
export { plugin, protect, strategy } from './plugin.js';
export { answerOf, respond } from './respond.js';
