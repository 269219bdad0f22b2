export type { NewmanEvent, NewmanJob } from './messages.js';
export { maxAnswerBytes, type NewmanProcess, openNewman, warmNewman } from './start.js';
