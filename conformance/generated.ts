import { type GeneratedFile, generatedFromSpec } from '../spec/generate/index.js';
import { spec } from '../spec/index.js';
import { manualText } from './cli/manual.js';
import { postmanCollectionText } from './postman/index.js';

/** Every committed file that a program writes. `npm run generate` writes them, and a test compares. */
export const generatedFiles: readonly GeneratedFile[] = [
  ...generatedFromSpec,
  { file: 'docs/command-line.md', text: async () => manualText() },
  { file: 'conformance/postman/hydrauth.postman_collection.json', text: async () => postmanCollectionText(spec) },
];
