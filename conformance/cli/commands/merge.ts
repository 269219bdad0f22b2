import { resolve } from 'node:path';
import { CallError, command } from '../command.js';
import { fleet } from './fleet.js';

export const merge = command({
  name: 'merge',
  summary: 'Join the shards of a fleet run.',
  text: 'Writes the same folder as a run without shards.',
  positionals: [{ name: 'dir', text: 'Folders that fleet --shard wrote.', many: true }],
  examples: [['hydrauth merge shard-1 shard-2 shard-3 --output run', 'Join three shards.']],
  exitCodes: fleet.exitCodes,
  async run(args, io) {
    const [{ mergedRuns, openFolder, writeService }, run] = await Promise.all([import('../../fleet/index.js'), import('../fleet-run.js')]);
    const folders = args.positionals.map((folder) => resolve(io.cwd, folder));
    const call = run.fleetCall(args, io);
    if (folders.includes(call.output)) throw new CallError(`--output ${call.output} is one of the folders to merge; give another one`);
    const { fleet: merged, textOf } = mergedRuns(folders);
    openFolder(call.output);
    for (const service of merged.services) writeService(call.output, service, textOf(service));
    return run.finishFleet(merged, call, true, io);
  },
});
