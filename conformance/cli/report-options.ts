import type { Option } from './command.js';

/** What becomes of a report: what it does not hold against the target, and where it is written. */
export const reportOptions: readonly Option[] = [
  {
    name: 'baseline',
    value: 'F',
    text: 'Known failures, a JSON array of {"requirement": ID, "reason": TEXT}; they do not fail the run.',
  },
  { name: 'strict', text: 'A violated SHOULD and an untested MUST fail the run too.' },
  { name: 'json', value: 'F', text: 'Write the report as JSON.' },
  { name: 'junit', value: 'F', text: 'Write it as JUnit XML.' },
  { name: 'earl', value: 'F', text: 'Write it as EARL in JSON-LD.' },
  { name: 'html', value: 'F', text: 'Write it as one HTML page.' },
  { name: 'markdown', value: 'F', text: 'Write it as Markdown.' },
];
