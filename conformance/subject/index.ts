export * from './accounts.js';
export * from './outcome.js';
export * from './subject.js';
export * from './trial.js';
