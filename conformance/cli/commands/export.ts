import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { overlayLiterals, overlayOf, packageFile, type Spec, SpecError } from '../../../spec/index.js';
import { brunoFiles, hurlText, postmanCollectionText } from '../../postman/index.js';
import { writeWhole } from '../../report/index.js';
import { type Args, CallError } from '../command.js';
import { givenSpec } from '../given.js';
import type { Io } from '../io.js';
import { obstacle } from '../reporting.js';

export async function exportDocument(args: Args, io: Io): Promise<number> {
  const document = args.positionals[0] as keyof typeof texts | 'bruno';
  // A profile that cannot be used is told also where the document does not depend on it.
  const spec = givenSpec(args, io);
  const output = args.text('output');
  if (document !== 'bruno') {
    if (output !== undefined)
      throw new CallError(`--output is for bruno; ${document} is printed, as in hydrauth export ${document} > FILE`);
    io.out(texts[document](spec, args.given('spec'), args));
    return 0;
  }
  if (output === undefined)
    throw new CallError('Bruno collections are folders; say where to write it, as in hydrauth export bruno --output hydrauth-bruno');
  for (const [path, text] of brunoFiles(spec)) {
    const file = resolve(io.cwd, output, path);
    const why = obstacle(file);
    if (why !== undefined) throw new CallError(`--output ${output}: ${file} cannot be written: ${why}`);
    writeWhole(file, text);
  }
  return 0;
}

/** The package's own documents are printed as they were committed, with their comments. */
const texts = {
  postman: (spec: Spec, isProfile: boolean) =>
    isProfile ? postmanCollectionText(spec) : packageText('conformance', 'postman', 'hydrauth.postman_collection.json'),
  hurl: hurlText,
  openapi: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.openapi) : packageText('spec', 'openapi.yaml')),
  arazzo: (spec: Spec, isProfile: boolean) => (isProfile ? yamlOf(spec.source.arazzo) : packageText('spec', 'auth.arazzo.yaml')),
  overlay: (spec: Spec, _: boolean, args: Args) => overlayText(spec, args),
  control: () => packageText('spec', 'control.yaml'),
};

function overlayText(spec: Spec, args: Args): string {
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
}

/** The realm stands in a quoted string (RFC 9110, section 5.6.4). */
const quotable = (name: string, value: string) => (name === 'realm' ? value.replace(/["\\]/g, '\\$&') : value);

const packageText = (...path: string[]) => readFileSync(packageFile(...path), 'utf8');

const yamlOf = (document: Spec['source']['openapi']) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
