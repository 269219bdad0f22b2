export type { ClientService, Connect, ReadRequest, Said } from './contract.js';
export { type ClientConformanceOptions, validateClientOptions } from './options.js';
export { openProxy } from './proxy.js';
export { judgeClients, mostJudged } from './recorded.js';
export { runClientConformance } from './run.js';
export { Log } from './traffic/index.js';
