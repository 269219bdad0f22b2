import fc from 'fast-check';

/** The same cases each time, where a test names no seed of its own. */
fc.configureGlobal({ seed: 1 });
