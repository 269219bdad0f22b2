export { howToGetNewman, isNewmanInstalled } from './installed.js';
export { type NewmanEvent, type NewmanJob, steadyMs } from './messages.js';
export { keepNewman, type NewmanProcess, openNewman, warmNewman } from './process.js';
