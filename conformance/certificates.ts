import { X509Certificate } from 'node:crypto';
import { OptionError, readGiven } from '../spec/index.js';

const expected = 'a PEM file of certificates is expected';

/** The certificates in a file, as PEM text. */
export function readCertificates(file: string): string {
  const text = readGiven(file, (code) => new OptionError('ca', `${file} cannot be read (${code}); ${expected}`));
  try {
    new X509Certificate(text);
    return text;
  } catch {
    throw new OptionError('ca', `${file} holds no certificate; ${expected}, which begins with -----BEGIN CERTIFICATE-----`);
  }
}
