export { type Fleet, fleetOf, type Result, resultOf, worstCode } from './fleet.js';
export { openFolder, writeOverview, writeService } from './folder.js';
export { judgeAll, type Told } from './judge-all.js';
export { checkService, judgeService, type Place, unjudged } from './judge-service.js';
export { type FleetFile, readFleetFile, type Service } from './read-file.js';
export { fleetFileSchema } from './schema.js';
export { becauseWords, summaryWords } from './words.js';
