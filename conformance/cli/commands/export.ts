import { readFileSync } from 'node:fs';
import type { Command } from '../command.js';

export const exportDocument: Command = {
  name: 'export',
  summary: 'Print the protocol as a document for other tools.',
  positionals: [
    {
      name: 'document',
      allowed: ['postman', 'openapi', 'arazzo'],
      text: 'A Postman collection that judges a server by itself, the OpenAPI document, or the three steps as an Arazzo workflow.',
    },
  ],
  options: [],
  examples: [
    { line: 'hydrauth export postman > hydrauth.postman_collection.json', text: 'A collection for Postman and Newman.' },
    { line: 'hydrauth export openapi > openapi.yaml', text: 'The OpenAPI document; keep it beside the Arazzo one, which refers to it.' },
  ],
  exitCodes: [
    { code: 0, text: 'Printed.' },
    { code: 2, text: 'The call is wrong.' },
  ],
  async run({ positionals: [document] }, io) {
    const { packageFile, specText } = await import('../../../spec/index.js');
    const collection = packageFile('conformance', 'postman', 'hydrauth.postman_collection.json');
    io.out(document === 'postman' ? readFileSync(collection, 'utf8') : specText(document as 'openapi' | 'arazzo'));
    return 0;
  },
};
