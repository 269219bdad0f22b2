import { join } from 'node:path';
import { InputFileError, parseJson, parseReport, readText } from '../report/index.js';
import { type Fleet, type FleetRow, fleetOf, type Result, resultOf } from './fleet.js';

type Written = Omit<Fleet, 'services'> & { readonly services: readonly FleetRow[] };
const expected = 'the folder of a run is expected, as hydrauth fleet --output writes it';

/** The runs in these folders as one. `textOf` gives the report of a service as it was written. */
export function mergedRuns(folders: readonly string[]): { fleet: Fleet; textOf: (result: Result) => string } {
  const runs = folders.map((folder) => {
    const file = join(folder, 'fleet.json');
    const run = parseJson(readText(file, 'cannot be read', expected), file, expected) as Written;
    if (!Array.isArray(run?.services)) throw new InputFileError(file, expected);
    return { folder, file, run };
  });
  const [first] = runs.map(({ run }) => run);
  if (first === undefined) throw new InputFileError('', expected);
  const { kit, catalogue } = fleetOf([], first);
  if (kit.version !== first.kit?.version || catalogue !== first.catalogue)
    throw new InputFileError(
      folders[0] ?? '',
      `hydrauth ${first.kit?.version} wrote it, and this is ${kit.version}; merge with the version that judged`,
    );
  const same = (run: Written) => JSON.stringify([run.kit, run.catalogue, run.seed, run.shard?.split('/')[1]]);
  const places = new Map<string, string>();
  for (const { folder, file, run } of runs) {
    if (same(run) !== same(first))
      throw new InputFileError(
        file,
        `another version, catalogue, seed or number of shards than in ${folders[0]}; only parts of one run can be merged`,
      );
    for (const { name } of run.services) {
      const other = places.get(name);
      if (other !== undefined) throw new InputFileError(file, `service ${name} is in ${other}, too`);
      places.set(name, folder);
    }
  }
  const shards = new Set(runs.map(({ run }) => run.shard));
  const of = Number(first.shard?.split('/')[1] ?? 0);
  const missing = Array.from({ length: of }, (_, index) => `${index + 1}/${of}`).filter((shard) => !shards.has(shard));
  if (missing.length > 0) throw new InputFileError(folders.join(', '), `the run is not whole: shard ${missing.join(' and ')} is missing`);
  const textOf = ({ name, report }: Pick<FleetRow, 'name' | 'report'>) =>
    readText(join(places.get(name) ?? '', report), 'cannot be read', expected);
  const results = runs.flatMap(({ folder, run }) =>
    run.services.map((row) => resultOf(row, parseReport(textOf(row), join(folder, row.report)))),
  );
  const startedAt = runs.map(({ run }) => run.startedAt).sort()[0] as string;
  return { fleet: fleetOf(results, { seed: first.seed, startedAt }), textOf };
}
