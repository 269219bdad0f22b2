export { postmanCollection, postmanCollectionText } from './collection.js';
export { brunoFiles } from './formats/bruno.js';
export { hurlText } from './formats/hurl.js';
export { howToGetNewman, isNewmanInstalled, keepNewman, type NewmanProcess, openNewman } from './newman/index.js';
export { type PostmanInput, type PostmanResult, runPostman } from './run.js';
