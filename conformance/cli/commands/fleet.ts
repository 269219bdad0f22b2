import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../../spec/nearest.js';
import type { Service } from '../../fleet/index.js';
import { type Args, CallError, command, verdictCodes } from '../command.js';
import type { Io } from '../io.js';

export const fleet = command({
  name: 'fleet',
  summary: 'Judge every service that a file lists.',
  text: 'Writes a folder: a report and a badge for each service, and an overview as JSON, HTML, Markdown, JUnit and CTRF.',
  positionals: [{ name: 'file', text: 'Services and their options, in YAML or JSON.', like: /\.(ya?ml|json)$/i }],
  examples: [
    ['hydrauth fleet fleet.yaml --output run', 'Judge all services and write the folder run.'],
    ['hydrauth fleet fleet.yaml --output run --only payments --jobs 4', 'Only those with the name or tag payments, four at once.'],
  ],
  exitCodes: {
    ...verdictCodes,
    0: 'Every service is conformant.',
    1: 'A service violates a MUST, or fails for another reason that check names.',
    3: 'No service fails, but one has no verdict.',
  },
  async run(args, io) {
    const { becauseWords, checkService, fleetOf, judgeAll, openFolder, readFleetFile, summaryWords, worstCode, writeOverview } =
      await import('../../fleet/index.js');
    const [{ endings }, { interruptedCode }] = await Promise.all([import('../endings.js'), import('../judge.js')]);
    const output = outputFolder(args, io);
    const path = resolve(io.cwd, args.positionals[0] ?? '');
    const file = readFleetFile(path);
    const services = selected(file.services, args.texts('only'));
    const seed = args.number('seed') ?? Math.floor(Math.random() * 2 ** 31);
    const place = { folder: dirname(path), env: io.env, seed };
    for (const service of services) checkService(file, service, place);
    openFolder(output);
    const startedAt = new Date().toISOString();
    const ended = endings(services, output, io);
    await judgeAll(services, place, args.number('jobs') ?? availableParallelism(), ended, io.signal).finally(ended.close);
    const run = fleetOf(ended.results, { seed, startedAt });
    writeOverview(output, run, []);
    const code = worstCode(run.services);
    io.out(`\n${summaryWords(run)}. ${becauseWords(run.services, code)}\n`);
    return interruptedCode(io) ?? code;
  },
});

export function outputFolder(args: Args, { cwd }: Pick<Io, 'cwd'>): string {
  const folder = args.text('output');
  if (folder === undefined) throw new CallError('--output is missing: --output DIR names the folder to write');
  return resolve(cwd, folder);
}

function selected(services: readonly Service[], only: readonly string[]): Service[] {
  const wordsOf = ({ name, tags }: Service) => [name, ...tags];
  const known = [...new Set(services.flatMap(wordsOf))];
  const unknown = only.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new CallError(`--only: no service has the name or tag ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`);
  return services.filter((service) => only.length === 0 || wordsOf(service).some((word) => only.includes(word)));
}
