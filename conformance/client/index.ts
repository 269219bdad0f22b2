export type { ClientConformanceOptions, ClientService, Connect, ReadRequest, Said } from './options.js';
export { validateClientOptions } from './options.js';
export { openProxy } from './proxy.js';
export { judgeClients, mostJudged } from './report.js';
export { runClientConformance } from './run.js';
export { Log } from './traffic.js';
