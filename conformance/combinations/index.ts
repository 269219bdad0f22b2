export { Combinations } from './combinations.js';
export { isCombination } from './findings.js';
export { overTime } from './over-time.js';
export { everyRow } from './tell.js';
export { withWrongCredentials } from './wrong-credentials.js';
