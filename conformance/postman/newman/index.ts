export { howToGetNewman, isNewmanInstalled } from './installed.js';
export type { NewmanEvent, NewmanJob } from './messages.js';
export { keepNewman, type NewmanProcess, openNewman, warmNewman } from './process.js';
