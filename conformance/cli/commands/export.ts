import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Spec } from '../../../spec/index.js';
import { CallError, type Command } from '../command.js';
import { givenSpec, specOption } from '../profile.js';

export const exportDocument: Command = {
  name: 'export',
  summary: 'Print the protocol as a document for other tools.',
  positionals: [
    {
      name: 'document',
      allowed: ['postman', 'bruno', 'hurl', 'openapi', 'arazzo', 'overlay', 'control'],
      text: 'A collection that judges a server by itself, for Postman, Bruno or Hurl; the OpenAPI document, the three steps as an Arazzo workflow, an example of an overlay that makes a profile of the protocol, or the OpenAPI document of what serve --control offers.',
    },
  ],
  options: [specOption, { name: 'output', value: 'DIR', text: 'Where to write the collection for Bruno, which is a folder of files.' }],
  examples: [
    { line: 'hydrauth export postman > hydrauth.postman_collection.json', text: 'A collection for Postman and Newman.' },
    { line: 'hydrauth export bruno --output hydrauth-bruno', text: 'The same collection as a folder that Bruno opens and bru runs.' },
    { line: 'hydrauth export hurl > hydrauth.hurl', text: 'The same requests as a file for Hurl.' },
    { line: 'hydrauth export openapi > openapi.yaml', text: 'The OpenAPI document; keep it beside the Arazzo one, which refers to it.' },
    { line: 'hydrauth export overlay > profile.yaml', text: 'A profile to begin with: every literal in another form, with comments.' },
    { line: 'hydrauth export postman --spec profile.yaml > profile.json', text: 'The collection of a profile.' },
  ],
  exitCodes: [
    { code: 0, text: 'Printed, or written.' },
    { code: 2, text: 'The call is wrong.' },
  ],
  async run(args, io) {
    const document = args.positionals[0] as keyof typeof texts;
    // A profile that cannot be used is told also where the document does not depend on it.
    const spec = await givenSpec(args, io);
    const output = args.text('output');
    if ((args.positionals[0] === 'bruno') !== (output !== undefined))
      throw new CallError(
        output === undefined
          ? 'A collection for Bruno is a folder: say where to write it, as in hydrauth export bruno --output hydrauth-bruno'
          : `--output is for bruno; ${document} is printed, as in hydrauth export ${document} > FILE`,
      );
    if (output === undefined) io.out(await texts[document](spec, args.given('spec')));
    else await writeFiles(resolve(io.cwd, output), (await import('../../postman/index.js')).brunoFiles(spec));
    return 0;
  },
};

/** The package's own documents are printed as they were committed, with their comments. */
const texts = {
  async postman(spec: Spec, isProfile: boolean): Promise<string> {
    if (!isProfile) return packageText('conformance', 'postman', 'hydrauth.postman_collection.json');
    return (await import('../../postman/index.js')).postmanCollectionText(spec);
  },
  hurl: async (spec: Spec) => (await import('../../postman/index.js')).hurlText(spec),
  openapi: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.openapi) : packageText('spec', 'openapi.yaml')),
  arazzo: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.arazzo) : packageText('spec', 'auth.arazzo.yaml')),
  overlay: () => packageText('spec', 'example.overlay.yaml'),
  control: () => packageText('spec', 'control.yaml'),
};

async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    mkdirSync(dirname(resolve(folder, path)), { recursive: true });
    writeFileSync(resolve(folder, path), text);
  }
}

async function packageText(...path: string[]): Promise<string> {
  const { packageFile } = await import('../../../spec/index.js');
  return readFileSync(packageFile(...path), 'utf8');
}

async function yamlOf(document: Spec['source']['openapi']): Promise<string> {
  return (await import('yaml')).stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
