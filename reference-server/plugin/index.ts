export { type Answering, asking, contextOf, type Deployment, makeStore, respond, sentAnswer } from './deployment.js';
export { type AuthOptions, authSettings, type HydraAuthOptions, policyChecks, specCheck } from './options.js';
export { plugin, protect, strategy } from './plugin.js';
