import { join } from 'node:path';
import { InputFileError, parseJson, parseReport, readText, schemaValidator } from '../report/index.js';
import { type Fleet, type FleetRow, fleetOf, resultOf } from './fleet.js';
import { runSchema } from './schema.js';

const expected = 'the folder of a run is expected, as hydrauth fleet --output writes it';

/** The runs in these folders as one. `textOf` gives the report of a service as it was written. */
export function mergedRuns(folders: readonly string[]): { fleet: Fleet; textOf: (row: FleetRow) => string } {
  const places = new Map<string, string>();
  const isRun = schemaValidator(runSchema);
  const runs = folders.map((folder) => {
    const file = join(folder, 'fleet.json');
    const run = parseJson(readText(file, 'cannot be read', expected), file, expected) as Omit<Fleet, 'services'> & { services: FleetRow[] };
    if (!isRun(run)) throw new InputFileError(file, expected);
    for (const { name } of run.services) {
      if (places.has(name)) throw new InputFileError(file, `service ${name} is in ${places.get(name)}, too`);
      places.set(name, folder);
    }
    return run;
  });
  const [{ seed, shard = '1/1' }] = runs as [(typeof runs)[number]];
  const of = Number(shard.split('/')[1]);
  const { kit, catalogue } = fleetOf([], { seed, startedAt: '' });
  const isPart = (run: (typeof runs)[number]) =>
    run.kit?.version === kit.version && run.catalogue === catalogue && run.seed === seed && Number(run.shard?.split('/')[1] ?? 1) === of;
  const other = runs.findIndex((run) => !isPart(run));
  if (other >= 0)
    throw new InputFileError(
      folders[other] ?? '',
      `only parts of one run can be merged, with one seed, and by the hydrauth that judged them; this is ${kit.version}`,
    );
  const missing = Array.from({ length: of }, (_, index) => `${index + 1}/${of}`).filter(
    (each) => of > 1 && !runs.some((run) => run.shard === each),
  );
  if (missing.length > 0) throw new InputFileError(folders.join(', '), `the run is not whole: shard ${missing.join(' and ')} is missing`);
  const textOf = ({ name }: FleetRow) => readText(join(places.get(name) ?? '', name, 'report.json'), 'cannot be read', expected);
  const results = runs.flatMap(({ services }) => services.map((row) => resultOf(row, parseReport(textOf(row), row.report))));
  return { fleet: fleetOf(results, { seed, startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? '' }), textOf };
}
