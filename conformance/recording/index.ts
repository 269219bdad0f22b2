export { exchangeOf, headerLine, mostLookedAt, pathOf } from './entry.js';
export type { HarEntry, OwnRecording } from './har.js';
export { learnSecrets } from './masked.js';
export { type HarFile, openHar, type Place } from './read.js';
export { type Recorder, recorder, weightOf } from './recorder.js';
