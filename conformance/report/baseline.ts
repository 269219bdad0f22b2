import { type Catalogue, spec as ownSpec, type Profile, profileOf } from '../../spec/index.js';
import { present } from '../finding.js';
import type { BaselineEntry } from '../options.js';
import { clip, joinLines, oneLine } from './escape.js';
import { findingOf } from './finding.js';
import { InputFileError, readJson } from './read.js';
import type { Report } from './report.js';

const shape = 'a baseline is a JSON array of {"requirement": ID, "reason": TEXT}';
const members = '"requirement" and "reason", and "owner", "until" and "profile" with the digest of a profile';

/** The entries that were given, or those of the file that was; none where nothing was. */
export function baselineOf(given: string | readonly BaselineEntry[] = [], catalogue: Catalogue): readonly BaselineEntry[] {
  if (typeof given !== 'string') return validateBaseline(given, 'baseline', catalogue);
  return validateBaseline(readJson(given, shape, 'the baseline cannot be read'), given, catalogue);
}

/** Checks entries that are already data. Errors name `file` as their source. */
function validateBaseline(entries: unknown, file: string, catalogue: Catalogue): BaselineEntry[] {
  if (!Array.isArray(entries)) throw new InputFileError(file, `${shape}, not ${kindOf(entries)}`);
  const places = new Map<string, number>();
  return entries.map((entry: unknown, index) => {
    const fail = (problem: string): never => {
      throw new InputFileError(file, `entry ${index + 1}: ${problem}`);
    };
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return fail(`${kindOf(entry)}; ${shape}`);
    const { requirement, reason, profile, owner, until, ...others } = entry as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined) return fail(`there is no member ${JSON.stringify(oneLine(other))}; the members are ${members}`);
    if (typeof requirement !== 'string') return fail(`"requirement" is ${kindOf(requirement)}; the id of a requirement is expected`);
    const row = catalogue.requirements.find(({ id }) => id === requirement);
    if (row === undefined) return fail(unknownRequirement(requirement, catalogue));
    if (typeof reason !== 'string' || reason.trim() === '')
      return fail(`${requirement} has no "reason"; say in a sentence why its failure is accepted`);
    if (profile !== undefined && typeof profile !== 'string')
      return fail(`"profile" is ${kindOf(profile)}; the digest that a report has in profile.digest is expected`);
    if (owner !== undefined && typeof owner !== 'string') return fail(`"owner" is ${kindOf(owner)}; a name is expected`);
    if (until !== undefined && !isDay(until))
      return fail(
        `"until" is ${typeof until === 'string' ? JSON.stringify(until) : kindOf(until)}; the last day on which the failure is accepted is expected, such as 2030-12-31`,
      );
    const earlier = places.get(requirement);
    if (earlier !== undefined) return fail(`${requirement} is already listed by entry ${earlier}; a requirement has one entry`);
    places.set(requirement, index + 1);
    return { requirement, reason, ...present({ profile, owner, until }) };
  });
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** Whether the last day of an entry is over, in UTC. Such an entry accepts nothing. */
export function isPast({ until }: BaselineEntry, at: Date): boolean {
  return until !== undefined && at.toISOString().slice(0, 10) > until;
}

export function pastSentence({ requirement, until, owner }: BaselineEntry): string {
  return `The baseline accepted ${requirement} until ${until}, which is past${owner === undefined ? '' : `; ask ${owner}`}. Its failure counts again.`;
}

/** The entries whose requirement now passes. */
export function staleEntries(
  baseline: readonly BaselineEntry[],
  { requirements, cases }: Pick<Report, 'requirements' | 'cases'>,
): BaselineEntry[] {
  // What was not tried may still be there.
  if (cases?.leftOut !== undefined) return [];
  return baseline.filter((entry) => requirements.some(({ id, outcome }) => id === entry.requirement && outcome === 'pass'));
}

export function staleSentence(requirement: string): string {
  return `The baseline lists ${requirement}, which now passes. Remove its entry: a stale entry fails the run.`;
}

/** What is said of entries that were accepted under another profile than that of the run. */
export function otherProfiles(baseline: readonly BaselineEntry[], { digest, title, version }: Profile): string[] {
  const others = baseline.filter(({ profile }) => profile !== undefined && profile !== digest).map(({ requirement }) => requirement);
  if (others.length === 0) return [];
  return [
    `The baseline accepts ${others.join(', ')} under another profile than that of this run, ${title} ${version} (${digest.slice(0, 8)}).`,
  ];
}

/** An entry for each failure; under a profile that is not the kit's own it names that. Its reason says what was found; people replace it by why they accept it. */
export function newEntries(report: Report): BaselineEntry[] {
  const { digest } = report.profile ?? {};
  const profile = digest === undefined || digest === profileOf(ownSpec).digest ? {} : { profile: digest };
  return report.requirements
    .filter((each) => each.outcome === 'fail' || (report.kit.strict === true && (each.outcome === 'warn' || each.outcome === 'flaky')))
    .map((row) => {
      const { actual, message } = findingOf(row).ways[0]?.check ?? { actual: null, message: null };
      const reason = oneLine(joinLines(actual ?? message ?? 'Fails.', '; '));
      return { requirement: row.id, reason: reason.length > 80 ? `${reason.slice(0, 80)}…` : reason, ...profile };
    });
}

/** The entries that a baseline should have after this run: those of before, unless their requirement passes now, and the new ones. */
export function updatedEntries(report: Report, before: readonly BaselineEntry[]): BaselineEntry[] {
  const known = report.requirements.flatMap(({ id, outcome, reason = '' }) =>
    outcome === 'known-failure' ? { requirement: id, reason } : [],
  );
  const kept = before.filter((entry) => !staleEntries([entry], report).includes(entry));
  const all = [...kept, ...known, ...newEntries(report)];
  return all.filter((entry, index) => all.findIndex(({ requirement }) => requirement === entry.requirement) === index);
}

/** Entries as a JSON array, one a line. */
export function entriesText(entries: readonly BaselineEntry[]): string {
  return entries.length === 0 ? '[]' : `[\n${entries.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]`;
}

function unknownRequirement(id: string, catalogue: Catalogue): string {
  const name = oneLine(clip(id, 80));
  if (catalogue.open.some((row) => row.id === id)) return `${name} is an open point; it is observed, never judged, and cannot fail`;
  const near = catalogue.requirements.filter((row) => row.step === id.split('.')[0]).map((row) => row.id);
  return `there is no requirement ${JSON.stringify(name)}; ${near.length > 0 ? `of its step there are ${near.join(', ')}` : '"hydrauth requirements" lists them'}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
