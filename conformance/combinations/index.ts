export { everyRow } from './case.js';
export { Combinations } from './combinations.js';
export { isCombination } from './findings.js';
export { overTime } from './over-time.js';
export { withWrongCredentials } from './wrong-credentials.js';
