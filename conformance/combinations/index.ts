export { Combinations } from './combinations.js';
export { overTime } from './over-time.js';
export { everyRow } from './tell.js';
export { withWrongCredentials } from './wrong-credentials.js';
