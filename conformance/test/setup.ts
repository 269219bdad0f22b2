import fc from 'fast-check';
import { keepNewman } from '../postman/newman/index.js';

/** The same cases each time, where a test names no seed of its own. */
fc.configureGlobal({ seed: 1 });
// One process of Newman for all tests of a worker: to load it takes seconds.
keepNewman();
