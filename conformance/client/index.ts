export type { ClientService, Connect, ReadRequest, Said } from './contract.js';
export { type ClientConformanceOptions, clientDefaults, clientSpec, validateClientOptions } from './options.js';
export { runClientConformance } from './run.js';
export { type Watching, type WatchOptions, watchClient } from './watch.js';
