export { postmanCollection, postmanCollectionText } from './collection.js';
export { keepNewman, type NewmanProcess, openNewman } from './newman/index.js';
export { type PostmanInput, type PostmanResult, runPostman } from './run.js';
