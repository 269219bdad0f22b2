import { parse } from 'yaml';
import { digestOf, type SpecSource } from '../source.js';

/** The documents of the spec, parsed ahead, each beside the digest of the text it was parsed from. */
export function documentsText(texts: Readonly<Record<keyof SpecSource, string>>): string {
  const each = (work: (text: string) => unknown) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, work(text)]));
  const documents = JSON.stringify(each((text) => parse(text)));
  return [
    '// Written by npm run generate from the YAML files of spec/; read instead of them while they are unchanged.',
    `export const parsed = {`,
    `  digests: ${JSON.stringify(each(digestOf))} as Readonly<Record<string, string>>,`,
    `  documents: ${JSON.stringify(documents)},`,
    '};',
    '',
  ].join('\n');
}
