import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SpecError } from './errors.js';
import type { Json } from './json.js';

/** Reads a file of YAML or JSON; `expected` says what should have stood there. */
export function readYaml(path: string, expected: string): Json {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SpecError(path, '', `cannot be read (${(error as NodeJS.ErrnoException).code}); ${expected}`);
  }
  // Loaded only where a file is read: the package's own spec is parsed ahead.
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = problem.linePos?.[0];
    throw new SpecError(
      path,
      line === undefined ? '' : `line ${line.line}, column ${line.col}`,
      `not valid YAML or JSON: ${problem.message.split('\n')[0]}`,
    );
  }
  return document.toJS() as Json;
}
