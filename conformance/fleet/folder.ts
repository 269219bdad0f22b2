import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InputFileError, jsonText, junitXml, type Verdict, verdictWords, writeWhole } from '../report/index.js';
import { fleetCtrf, wholeMs } from './ctrf.js';
import type { Fleet, FleetRow, Result } from './fleet.js';
import { fleetHtml } from './html.js';
import { fleetMarkdown } from './markdown.js';
import type { Section } from './words.js';

const overviews = ['fleet.json', 'index.html', 'fleet.md', 'junit.xml', 'ctrf.json'];

/** Makes the folder of a run. Of a run that stands in it nothing stays, and nothing else is touched. */
export function openFolder(folder: string): void {
  writing(folder, () => {
    mkdirSync(folder, { recursive: true });
    for (const { name } of earlierServices(join(folder, 'fleet.json'))) {
      for (const file of ['report.json', 'badge.json']) rmSync(join(folder, name, file), { force: true });
      const isEmpty = existsSync(join(folder, name)) && readdirSync(join(folder, name)).length === 0;
      if (isEmpty) rmdirSync(join(folder, name));
    }
    for (const file of overviews) rmSync(join(folder, file), { force: true });
  });
}

function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new InputFileError(folder, `cannot be written (${(error as NodeJS.ErrnoException).code}); a folder for the run is expected`);
  }
}

function earlierServices(file: string): Pick<FleetRow, 'name'>[] {
  try {
    const { services } = JSON.parse(readFileSync(file, 'utf8')) as { services: Pick<FleetRow, 'name'>[] };
    return services.filter(({ name }) => /^[^/\\]+$/.test(name) && !/^\.+$/.test(name));
  } catch {
    return [];
  }
}

const colours: Readonly<Record<Verdict, string>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  error: 'lightgrey',
};

/** Writes the report of a service, which is given in JSON, and its badge as shields.io reads it. */
export function writeService(folder: string, { name, report, verdict }: Result, json: string): void {
  const badge = { schemaVersion: 1, label: 'hydrauth', message: verdictWords[verdict].toLowerCase(), color: colours[verdict] };
  writing(folder, () => {
    mkdirSync(join(folder, name), { recursive: true });
    writeWhole(join(folder, report), json);
    writeWhole(join(folder, name, 'badge.json'), jsonText(badge));
  });
}

/** Writes what stands above the services; fleet.json comes last, so that a folder that has it is whole. */
export function writeOverview(folder: string, fleet: Fleet, sections: readonly Section[]): void {
  const write = (file: string, text: string) => writing(folder, () => writeWhole(join(folder, file), text));
  const suites = fleet.services.map(({ name, cases }) => ({ name, cases }));
  write('index.html', fleetHtml(fleet, sections));
  write('fleet.md', fleetMarkdown(fleet, sections));
  write('junit.xml', junitXml('hydrauth fleet', { startedAt: fleet.startedAt, durationMs: wholeMs(fleet) }, suites));
  write('ctrf.json', fleetCtrf(fleet));
  write('fleet.json', jsonText({ ...fleet, services: fleet.services.map(rowOf) }));
}

function rowOf({ sentence: _, outcomes: __, judgedBy: ___, cases: ____, ...row }: Result): FleetRow {
  return row;
}
