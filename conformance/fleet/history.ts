import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, spec } from '../../spec/index.js';
import { InputFileError, letters, type Outcome, outcomeWords, readJson, schemaValidator, writeWhole } from '../report/index.js';
import type { Fleet, Result } from './fleet.js';
import { writing } from './folder.js';
import type { Service } from './read-file.js';
import { pastRunSchema } from './schema.js';

const format = 1;
const expected = 'a run that hydrauth fleet --history kept is expected';
const shownRuns = 10;

/** A run as the history keeps it. The outcomes of a service are a letter for each of the ids; a dash is what it does not have. */
export interface PastRun extends Pick<Fleet, 'startedAt' | 'catalogue'> {
  readonly format: number;
  readonly ids: readonly string[];
  readonly services: Readonly<Record<string, Pick<Result, 'exitCode' | 'judgedBy' | 'durationMs'> & { readonly outcomes: string }>>;
}

/** The runs that a folder keeps, the oldest first. */
export function readHistory(folder: string): PastRun[] {
  const names = namesIn(folder).filter((name) => /^\d{4}-\d\d-\d\dT.*\.json$/.test(name));
  const isRun = schemaValidator(pastRunSchema);
  return names.sort().map((name) => {
    const file = join(folder, name);
    const run = readJson(file, expected) as PastRun;
    if (typeof run?.format === 'number' && run.format > format)
      throw new InputFileError(file, `a newer version of hydrauth wrote it (format ${run.format}); this one reads format ${format}`);
    if (run?.format !== format || !isRun(run)) throw new InputFileError(file, `not complete; ${expected}`);
    // A service may be called constructor.
    return { ...run, services: Object.assign(Object.create(null), run.services) };
  });
}

/** Before the first run there is no folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new InputFileError(folder, `cannot be read (${code}); a folder is expected`);
  }
}

/** Keeps a run in a folder, by its date and digest. */
export function keepRun(folder: string, { startedAt, catalogue, services }: Fleet): void {
  const ids = spec.catalogue.requirements.map(({ id }) => id);
  const kept = services.map(({ name, exitCode, judgedBy, durationMs, outcomes }) => {
    const line = ids.map((id) => (outcomes[id] === undefined ? '-' : letters[outcomes[id]])).join('');
    return [name, { exitCode, judgedBy, durationMs, outcomes: line }] as const;
  });
  const run: PastRun = { format, startedAt, catalogue, ids, services: Object.fromEntries(kept) };
  const text = `${JSON.stringify(run)}\n`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  writing(folder, () => {
    makeFolder(folder);
    writeWhole(join(folder, `${startedAt.replaceAll(':', '-')}-${digest}.json`), text);
  });
}

/** `worse` is the service that got worse, and `uncompared` one that has no result in the earlier run, or in neither. */
type Change = { readonly line: string; readonly worse?: Result; readonly uncompared?: Result };

/** What changed since the last run and the last good one, since when things fail, and how the fleet does over time. */
export function compareWithHistory(fleet: Fleet, past: readonly PastRun[], isWhole: boolean) {
  const last = past.at(-1);
  const good = past.findLast(({ services }) => Object.values(services).every(({ exitCode }) => exitCode === 0));
  const since = (title: string, run: PastRun | undefined) => {
    const changes = run === undefined ? none('There is nothing to compare with.', fleet) : changesSince(run, fleet, isWhole);
    const lines = changes.map(({ line, worse }: Change) => (worse === undefined ? line : `Worse: ${line}`)).filter(Boolean);
    return { title: `Since ${title} (${run?.startedAt ?? 'none'})`, lines: lines.length === 0 ? ['Nothing changed.'] : lines, changes };
  };
  const sinceWhen = (name: string, id: string) => `${name}: ${id} since ${firstBad(name, id, fleet, past)}`;
  const failing = fleet.services.flatMap(({ name, failed }) => failed.map((id) => sinceWhen(name, id)));
  const trend = [...past.slice(-shownRuns), fleet].map(({ startedAt, services }) => {
    const codes = Object.values<Pick<Result, 'exitCode'>>(services);
    return `${startedAt}: ${codes.filter(({ exitCode }) => exitCode === 0).length} of ${codes.length} services passed`;
  });
  const lately = since('the last run', last);
  const others = [
    { title: 'Failing', lines: failing },
    { title: 'Trend', lines: trend },
  ];
  const sections = [lately, ...(good === last ? [] : [since('the last good run', good)]), ...others];
  return {
    sections: sections.filter(({ lines }) => lines.length > 0),
    worse: lately.changes.flatMap(({ worse }: Change) => worse ?? []),
    uncompared: lately.changes.flatMap(({ uncompared }: Change) => uncompared ?? []),
  };
}

/** One line for all services, none of which can be compared. */
const none = (line: string, { services }: Fleet): Change[] => [{ line }, ...services.map((uncompared) => ({ line: '', uncompared }))];

function changesSince(before: PastRun, fleet: Fleet, isWhole: boolean): Change[] {
  if (before.catalogue !== fleet.catalogue) return none('The catalogue of requirements changed, so no results are compared.', fleet);
  const names = new Set(fleet.services.map(({ name }) => name));
  const removed = Object.keys(before.services).filter((name) => isWhole && !names.has(name));
  const gone = removed.map((name) => ({ line: `${name} is no longer in the fleet.` }));
  return [...fleet.services.flatMap((now) => changesOf(now, before)), ...gone];
}

function changesOf(now: Result, before: PastRun): Change[] {
  const { name, exitCode, sentence } = now;
  const was = before.services[name];
  if (was === undefined) return [{ line: `${name} is new.`, uncompared: now }];
  const isLost = was.exitCode !== 3 && exitCode === 3;
  if (was.judgedBy !== now.judgedBy && !isLost)
    return [{ line: `${name} is judged by another profile, so its results are not compared.`, uncompared: now }];
  // By our own catalogue: somebody else may have written other ids into a history.
  const rows = spec.catalogue.requirements.flatMap(({ id, level }): Change[] => {
    const [earlier, is] = [outcomeIn(before, name, id), now.outcomes[id]];
    // Without a verdict most is untested or missing, which one line says.
    if (earlier === undefined || earlier === is || (isLost && (is === undefined || is === 'untested'))) return [];
    const isMust = level === 'MUST';
    if (is === undefined)
      return isMust && exitCode !== 3 && earlier !== 'untested'
        ? [{ line: `${name}: ${id} was judged, now it is left out.`, worse: now }]
        : [];
    const line = `${name}: ${id} was ${outcomeWords[earlier]}, now ${outcomeWords[is]}.`;
    return [{ line, ...(is === 'fail' || (is === 'untested' && isMust) ? { worse: now } : {}) }];
  });
  if (isLost) return [{ line: `${name} lost its verdict. ${sentence}`, worse: now }, ...rows];
  if (exitCode === 3) return [...rows, { line: `${name} has no verdict, and had none in the last run.`, uncompared: now }];
  const isUnsaid = was.exitCode === 0 && exitCode !== 0 && !rows.some(({ worse }) => worse !== undefined);
  return isUnsaid ? [...rows, { line: `${name} fails. ${sentence}`, worse: now }] : rows;
}

function outcomeIn({ ids, services }: PastRun, name: string, id: string): Outcome | undefined {
  const letter = services[name]?.outcomes[ids.indexOf(id)];
  return (Object.keys(letters) as Outcome[]).find((outcome) => letters[outcome] === letter);
}

/** When the violation was first seen that is seen until now; runs that did not test it count for nothing. */
function firstBad(name: string, id: string, { startedAt }: Fleet, past: readonly PastRun[]): string {
  const judged = past.filter((run) => ['pass', 'fail'].includes(outcomeIn(run, name, id) ?? ''));
  const lastPass = judged.findLastIndex((run) => outcomeIn(run, name, id) === 'pass');
  return judged[lastPass + 1]?.startedAt ?? startedAt;
}

/** The services of one shard. Each goes where the least is to do, the longest first, by how long it took when it was last judged. */
export function shardOf(services: readonly Service[], { index, of }: { index: number; of: number }, past: readonly PastRun[]): Service[] {
  const tookMs = ({ name }: Service) => past.findLast((run) => run.services[name] !== undefined)?.services[name]?.durationMs;
  const known = services.flatMap((service) => tookMs(service) ?? []);
  const usualMs = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const weighed = services.map((service) => ({ service, ms: tookMs(service) ?? usualMs }));
  weighed.sort((one, other) => other.ms - one.ms || (one.service.name < other.service.name ? -1 : 1));
  const shards = Array.from({ length: of }, () => ({ ms: 0, services: [] as Service[] }));
  for (const { service, ms } of weighed) {
    const lightest = shards.reduce((least, each) => (each.ms < least.ms ? each : least));
    lightest.services.push(service);
    lightest.ms += ms;
  }
  return shards[index - 1]?.services ?? [];
}
