export type { ClientService, Connect, ReadRequest, Said } from './contract.js';
export { type ClientConformanceOptions, validateClientOptions } from './options.js';
export { runClientConformance } from './run.js';
export { watchClient } from './watch.js';
