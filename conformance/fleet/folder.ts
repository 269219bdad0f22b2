import { existsSync, lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readGiven } from '../../spec/index.js';
import { InputFileError, jsonText, junitXml, parseReport, readJson, readText, schemaValidator, writeWhole } from '../report/index.js';
import { type Fleet, type FleetRow, fleetOf, type Result, resultOf } from './fleet.js';
import { fleetHtml } from './html.js';
import { fleetCtrf, fleetMarkdown, type Section, wholeMs } from './overview.js';
import { overviewFiles, runSchema } from './schema.js';

/** Makes the folder of a run. Of a run that stands in it nothing stays, and nothing else is touched. */
export function openFolder(folder: string): void {
  writing(folder, () => {
    makeFolder(folder);
    const there = new Set(readdirSync(folder));
    for (const name of earlierNames(folder).filter((each) => there.has(each))) {
      const at = join(folder, name);
      clear(at);
      if (existsSync(at) && readdirSync(at).length === 0) rmSync(at, { recursive: true });
    }
    for (const file of overviewFiles) rmSync(join(folder, file), { force: true });
  });
}

/** Removes what a run wrote about a service. A link is removed by itself, because what it leads to is no part of the folder. */
function clear(at: string): void {
  if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(at);
  for (const file of ['report.json', 'badge.json']) rmSync(join(at, file), { force: true });
}

function earlierNames(folder: string): string[] {
  try {
    return JSON.parse(readGiven(join(folder, 'fleet.json'))).services.map(({ name }: FleetRow) => name);
  } catch {
    return [];
  }
}

/** Tells what cannot be written as a mistake of the call. */
export function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new InputFileError(folder, `cannot be written (${(error as NodeJS.ErrnoException).code}); a folder for the run is expected`);
  }
}

const colours = { conformant: 'brightgreen', 'non-conformant': 'red', incomplete: 'yellow', error: 'lightgrey' } as const;

/** Writes the report of a service, which is given in JSON, and its badge as shields.io reads it. */
export function writeService(folder: string, { name, report, verdict, word, isWhole }: Result, json: string): void {
  const color = verdict === 'conformant' && !isWhole ? 'yellowgreen' : colours[verdict];
  const badge = { schemaVersion: 1, label: 'hydrauth', message: word.toLowerCase(), color };
  writing(folder, () => {
    clear(join(folder, name));
    makeFolder(join(folder, name));
    writeWhole(join(folder, report), json);
    writeWhole(join(folder, name, 'badge.json'), jsonText(badge));
  });
}

/** Writes what stands above the services; fleet.json comes last, so that a folder that has it is whole. */
export function writeOverview(folder: string, fleet: Fleet, sections: readonly Section[]): void {
  const rows = fleet.services.map(({ row }) => row);
  const files = {
    'index.html': fleetHtml(fleet, sections),
    'fleet.md': fleetMarkdown(fleet, sections),
    'junit.xml': junitXml('hydrauth fleet', { startedAt: fleet.startedAt, durationMs: wholeMs(fleet) }, fleet.services),
    'ctrf.json': fleetCtrf(fleet),
    'fleet.json': jsonText({ ...fleet, services: rows }),
  };
  writing(folder, () => {
    for (const [file, text] of Object.entries(files)) writeWhole(join(folder, file), text);
  });
}

const expected = 'the folder of a run is expected, as hydrauth fleet --output writes it';

/** The runs in these folders as one. `textOf` gives the report of a service as it was written. */
export function mergedRuns(folders: readonly string[]): { fleet: Fleet; textOf: (row: FleetRow) => string } {
  const places = new Map<string, string>();
  const isRun = schemaValidator(runSchema);
  const runs = folders.map((folder) => {
    const file = join(folder, 'fleet.json');
    const run = readJson(file, expected) as Omit<Fleet, 'services'> & { services: FleetRow[] };
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
  const textOf = ({ name }: FleetRow) => readText(join(places.get(name) ?? '', name, 'report.json'), expected);
  const results = runs.flatMap(({ services }) => services.map((row) => resultOf(row, parseReport(textOf(row), row.report))));
  return { fleet: fleetOf(results, { seed, startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? '' }), textOf };
}
