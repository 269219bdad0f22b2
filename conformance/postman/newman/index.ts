export type { NewmanEvent, NewmanJob } from './messages.js';
export { keepNewman, maxAnswerBytes, type NewmanProcess, openNewman, warmNewman } from './start.js';
