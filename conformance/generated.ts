import { type GeneratedFile, generatedFromSpec } from '../spec/generate/index.js';

/** Every committed file that a program writes. `npm run generate` writes them, and a test compares. */
export const generatedFiles: readonly GeneratedFile[] = [...generatedFromSpec];
