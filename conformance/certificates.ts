import { readFileSync } from 'node:fs';
import { OptionError } from '../spec/index.js';

/** The certificates in a file, as PEM text. */
export function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OptionError(
      'ca',
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}); a PEM file of certificates is expected`,
    );
  }
}
