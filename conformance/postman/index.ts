export { postmanCollection, postmanCollectionText } from './generate.js';
export { type PostmanInput, type PostmanResult, runPostman } from './run.js';
