import { readFileSync } from 'node:fs';
import { packageFile, specText } from '../../spec/index.js';
import type { Run } from './command.js';

export const run: Run = async ({ positionals: [document] }, io) => {
  io.out(document === 'postman' ? postmanCollection() : specText(document as 'openapi' | 'arazzo'));
  return 0;
};

function postmanCollection(): string {
  return readFileSync(packageFile('conformance', 'postman', 'hydrauth.postman_collection.json'), 'utf8');
}
