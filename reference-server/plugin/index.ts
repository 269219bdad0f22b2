export { type Answering, asking, basesOf, contextOf, type Deployment, makeStore } from './deployment.js';
export { type AuthOptions, type AuthSettings, authChecks, authSettings, type HydraAuthOptions } from './options.js';
export { plugin, protect, strategy } from './plugin.js';
export { answerOf, respond } from './respond.js';
