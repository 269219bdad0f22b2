export { judgeAll } from './apart.js';
export { type Fleet, fleetOf, type Result, resultOf, worstCode } from './fleet.js';
export { mergedRuns, openFolder, writeOverview, writeService } from './folder.js';
export { compareWithHistory, keepRun, readHistory, shardOf } from './history.js';
export { checkService } from './judge.js';
export { becauseWords, comparedWords, summaryWords } from './overview.js';
export { checkForQueue, collect, work } from './queue.js';
export { readFleetFile, type Service } from './read-file.js';
export { fleetFileSchema, overviewFiles } from './schema.js';
