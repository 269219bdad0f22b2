import { resolve } from 'node:path';
import { CallError, command } from '../command.js';

export const attest = command({
  name: 'attest',
  summary: 'State the result of a report for an artefact, to be signed.',
  text: 'Prints an in-toto statement with a test-result predicate.',
  positionals: [{ name: 'report.json', text: 'A report written by check --json or fleet.', like: /\.json$/i }],
  examples: [['hydrauth attest report.json --subject ghcr.io/me/api@sha256:9f86… > statement.json', 'The result for an image.']],
  exitCodes: { 0: 'Printed, whatever the result.', 2: 'The call is wrong, or the report has no verdict to attest.' },
  async run(args, io) {
    const { attestation, jsonText, parseReport, readText } = await import('../../report/index.js');
    const subjects = args.texts('subject').map((text) => {
      const [, name, sha256] = /^(.+)@sha256:([0-9a-f]{64})$/.exec(text) ?? [];
      if (name === undefined || sha256 === undefined)
        throw new CallError(`--subject is ${JSON.stringify(text)}; NAME@sha256:HEX with 64 digits is expected`);
      return { name, digest: { sha256 } };
    });
    if (subjects.length === 0) throw new CallError('--subject is missing: --subject NAME@sha256:HEX names what was judged');
    const file = resolve(io.cwd, args.positionals[0] ?? '');
    const text = readText(file, 'cannot be read', 'a report in JSON is expected');
    io.out(jsonText(attestation(parseReport(text, file), text, subjects)));
    return 0;
  },
});
