import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { didYouMean } from '../../../spec/nearest.js';
import type { Service } from '../../fleet/index.js';
import { type Args, CallError, command, verdictCodes } from '../command.js';

export const fleet = command({
  name: 'fleet',
  summary: 'Judge every service that a file lists.',
  text: 'Writes a folder: a report and a badge for each service, and an overview as JSON, HTML, Markdown, JUnit and CTRF.',
  positionals: [{ name: 'file', text: 'Services and their options, in YAML or JSON.', like: /\.(ya?ml|json)$/i }],
  examples: [
    ['hydrauth fleet fleet.yaml --output run', 'Judge all services and write the folder run.'],
    ['hydrauth fleet fleet.yaml --output run --only payments --jobs 4', 'Only those with the name or tag payments, four at once.'],
    ['hydrauth fleet fleet.yaml --output run --history runs --fail-on regression', 'Keep the run, and fail only when something got worse.'],
    ['hydrauth fleet fleet.yaml --output shard-2 --shard 2/3 --seed 7', 'The second of three parts, which merge joins.'],
  ],
  exitCodes: {
    ...verdictCodes,
    0: 'Every service is conformant.',
    1: 'A service violates a MUST, or fails for another reason that check names.',
    3: 'No service fails, but one has no verdict.',
  },
  async run(args, io) {
    const [fleets, { endings, finishFleet, fleetCall }] = await Promise.all([import('../../fleet/index.js'), import('../fleet-run.js')]);
    const [call, queue, shard] = [fleetCall(args, io), args.text('queue'), givenShard(args)];
    const path = resolve(io.cwd, args.positionals[0] ?? '');
    const file = fleets.readFleetFile(path);
    const chosen = selected(file.services, args.texts('only'));
    const services = shard === undefined ? chosen : fleets.shardOf(chosen, shard, call.kept?.past ?? []);
    const place = { folder: dirname(path), env: io.env, seed: args.number('seed') ?? randomInt(2 ** 31) };
    const check = queue === undefined ? fleets.checkService : fleets.checkForQueue;
    for (const service of services) check(file, service, place);
    const ended = endings(services, call.output, io);
    const judge = async () => {
      if (queue !== undefined) return fleets.collect(queue, services, args.number('seed'), ended, io.signal);
      const startedAt = new Date().toISOString();
      await fleets.judgeAll(services, place, args.number('jobs') ?? availableParallelism(), ended, io.signal);
      return { seed: place.seed, startedAt, forget: async () => {} };
    };
    const { forget, ...run } = await judge().finally(ended.close);
    const part = shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` };
    const code = finishFleet(fleets.fleetOf(ended.results, { ...run, ...part }), call, shard === undefined && !args.given('only'), io);
    await forget();
    return code;
  },
});

function givenShard(args: Args): { index: number; of: number } | undefined {
  const text = args.text('shard');
  if (text === undefined) return undefined;
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of) throw new CallError(`--shard is ${text}; I/N is expected with I from 1 to N, such as 2/3`);
  if (!args.given('seed')) throw new CallError('--shard needs --seed N, the same for all shards, so that their services compare');
  return { index, of };
}

function selected(services: readonly Service[], only: readonly string[]): Service[] {
  const wordsOf = ({ name, tags }: Service) => [name, ...tags];
  const known = [...new Set(services.flatMap(wordsOf))];
  const unknown = only.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new CallError(`--only: no service has the name or tag ${JSON.stringify(unknown)}.${didYouMean(unknown, known)}`);
  return services.filter((service) => only.length === 0 || wordsOf(service).some((word) => only.includes(word)));
}
