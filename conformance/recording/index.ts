export { exchangeOf } from './entry.js';
export type { HarEntry, OwnMove } from './har.js';
export { type Recorder, recorder } from './recorder.js';
