export { goesTo, goesToAll } from './answers.js';
export { openStage } from './open.js';
export type { Place, ServiceState, Site } from './state.js';
