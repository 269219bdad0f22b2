export { commandClient } from './command.js';
export type { DrivenClient, Task, TaskResult } from './driven-client.js';
export { driverClient } from './driver.js';
export { functionClient } from './function.js';
