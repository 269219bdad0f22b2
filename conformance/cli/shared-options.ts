import type { Option } from './command.js';

/** What fails a run, and what does not. */
export const verdictOptions: readonly Option[] = [
  {
    name: 'baseline',
    value: 'F',
    text: 'Known failures, a JSON array of {"requirement": ID, "reason": TEXT}; they do not fail the run.',
  },
  { name: 'strict', text: 'A violated SHOULD and an untested MUST fail the run too.' },
];

/** The options that ask for reports, of every command that writes some. */
export const reportOptions: readonly Option[] = [
  { name: 'json', value: 'F', text: 'Write the report as JSON.' },
  { name: 'junit', value: 'F', text: 'Write it as JUnit XML.' },
  { name: 'earl', value: 'F', text: 'Write it as EARL in JSON-LD.' },
  { name: 'html', value: 'F', text: 'Write it as one HTML page.' },
  { name: 'markdown', value: 'F', text: 'Write it as Markdown.' },
];

export const headerOption: Option = {
  name: 'header',
  value: 'NAME:VALUE',
  many: true,
  text: 'Header lines that every request carries, for a gateway before the service. Those of the protocol are refused.',
};

export const certificateOptions: readonly Option[] = [
  { name: 'ca', value: 'F', text: 'Trust the certificates in this PEM file.', not: ['insecure'] },
  { name: 'insecure', text: 'Do not verify the certificate of the service.' },
];

export const verboseOption: Option = {
  name: 'verbose',
  text: 'Print every requirement, all exchanges, curl scripts and observations.',
};
