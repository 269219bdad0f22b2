import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Spec } from '../../../spec/index.js';
import { type Args, CallError, command } from '../command.js';
import { obstacle } from '../files.js';
import { givenSpec } from '../given.js';

export const exportDocument = command({
  name: 'export',
  summary: 'Print the protocol as a document for other tools.',
  positionals: [
    {
      name: 'document',
      allowed: ['postman', 'bruno', 'hurl', 'openapi', 'arazzo', 'overlay', 'control'],
      text: 'A collection that judges a server by itself, for Postman, Bruno or Hurl; the OpenAPI document, the three steps as an Arazzo workflow, an example of an overlay that makes a profile of the protocol, or the OpenAPI document of what serve --control offers.',
    },
  ],
  examples: [
    ['hydrauth export postman > hydrauth.postman_collection.json', 'A collection for Postman and Newman.'],
    ['hydrauth export bruno --output hydrauth-bruno', 'The same collection as a folder that Bruno opens and bru runs.'],
    ['hydrauth export hurl > hydrauth.hurl', 'The same requests as a file for Hurl.'],
    ['hydrauth export openapi > openapi.yaml', 'The OpenAPI document; keep it beside the Arazzo one, which refers to it.'],
    ['hydrauth export overlay > profile.yaml', 'A profile to begin with: every literal in another form, with comments.'],
    ['hydrauth export overlay --nonce-header X-Nonce --lifetime PT30M > profile.yaml', 'A profile with other values of these literals.'],
    ['hydrauth export postman --spec profile.yaml > profile.json', 'The collection of a profile.'],
  ],
  exitCodes: { 0: 'Printed, or written.' },
  async run(args, io) {
    const document = args.positionals[0] as keyof typeof texts;
    // A profile that cannot be used is told also where the document does not depend on it.
    const spec = await givenSpec(args, io);
    const output = args.text('output');
    if (args.positionals[0] !== 'bruno') {
      if (output !== undefined)
        throw new CallError(`--output is for bruno; ${document} is printed, as in hydrauth export ${document} > FILE`);
      io.out(await texts[document](spec, args.given('spec'), args));
      return 0;
    }
    if (output === undefined)
      throw new CallError('Bruno collections are folders; say where to write it, as in hydrauth export bruno --output hydrauth-bruno');
    const [{ brunoFiles }, { writeWhole }] = await Promise.all([import('../../postman/index.js'), import('../../report/index.js')]);
    for (const [path, text] of brunoFiles(spec)) {
      const file = resolve(io.cwd, output, path);
      const why = obstacle(file);
      if (why !== undefined) throw new CallError(`--output ${output}: ${file} cannot be written: ${why}`);
      writeWhole(file, text);
    }
    return 0;
  },
});

/** The package's own documents are printed as they were committed, with their comments. */
const texts = {
  async postman(spec: Spec, isProfile: boolean): Promise<string> {
    if (!isProfile) return packageText('conformance', 'postman', 'hydrauth.postman_collection.json');
    return (await import('../../postman/index.js')).postmanCollectionText(spec);
  },
  hurl: async (spec: Spec) => (await import('../../postman/index.js')).hurlText(spec),
  openapi: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.openapi) : packageText('spec', 'openapi.yaml')),
  arazzo: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.arazzo) : packageText('spec', 'auth.arazzo.yaml')),
  async overlay(spec: Spec, _: boolean, args: Args): Promise<string> {
    const { overlayLiterals, overlayOf, SpecError } = await import('../../../spec/index.js');
    const given = Object.entries(overlayLiterals).filter(([option]) => args.given(option));
    if (given.length === 0) return packageText('spec', 'example.overlay.yaml');
    const made = (changes: typeof given) => {
      try {
        return overlayOf(spec, new Map(changes.map(([option, name]) => [name, quotable(name, args.text(option) as string)])));
      } catch (error) {
        if (error instanceof SpecError) return error;
        throw error;
      }
    };
    const overlay = made(given);
    if (!(overlay instanceof SpecError)) return yamlOf(overlay);
    const isWrong = (alone: unknown) => alone instanceof SpecError && alone.problem === overlay.problem;
    const one = given.find((change) => isWrong(made([change])));
    const options = (one === undefined ? given : [one]).map(([option]) => `--${option}`);
    throw new CallError(`${options.join(' and ')}: ${overlay.problem}`);
  },
  control: () => packageText('spec', 'control.yaml'),
};

/** The realm stands in a quoted string (RFC 9110, section 5.6.4). */
const quotable = (name: string, value: string) => (name === 'realm' ? value.replace(/["\\]/g, '\\$&') : value);

async function packageText(...path: string[]): Promise<string> {
  const { packageFile } = await import('../../../spec/index.js');
  return readFileSync(packageFile(...path), 'utf8');
}

async function yamlOf(document: Spec['source']['openapi']): Promise<string> {
  return (await import('yaml')).stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
