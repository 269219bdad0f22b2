export type { News, Order } from './messages.js';
export { startNewman } from './start.js';
