export { forwardTo } from './forward.js';
export { listen } from './listener.js';
export { openStage, type Stage } from './open.js';
export {
  asStranger,
  errorAnswer,
  goesTo,
  isChallenge,
  type Place,
  redirectTo,
  type ServiceState,
  type Site,
  servedIn,
  withBody,
  withLogin,
  withToken,
} from './state.js';
