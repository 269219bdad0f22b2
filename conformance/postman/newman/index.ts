export type { News, Order } from './messages.js';
export { maxAnswerBytes, type NewmanProcess, openNewman } from './start.js';
