import { resolve, sep } from 'node:path';
import { leadsTo, OptionError, profileOf, readGiven, spec } from '../../spec/index.js';
import { makeReport, type Report } from '../report/index.js';
import { type ConformanceOptions, runConformance, validateOptions } from '../run/index.js';
import { type FleetFile, keyOf, type Reference, type Service } from './read-file.js';
import { serviceOptions } from './schema.js';

/** Where a service is judged: what its paths start from, and the environment that it refers to. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly seed: number;
  /** Only files in the folder may be named. */
  readonly isClosed?: boolean;
}

const secondsIn = { s: 1, m: 60, h: 3600 } as const;

/** Judges a service until its deadline. Whatever goes wrong, there is a report. */
export async function judgeService(
  service: Service,
  place: Place,
  { signal, onProgress }: Required<Pick<ConformanceOptions, 'signal' | 'onProgress'>>,
): Promise<Report> {
  const startedAt = new Date();
  const deadline = new AbortController();
  const ms = Number.parseInt(service.deadline, 10) * 1000 * secondsIn[service.deadline.at(-1) as keyof typeof secondsIn];
  const timer = setTimeout(() => deadline.abort(`The deadline of ${service.deadline} passed.`), ms);
  try {
    return await runConformance({ ...optionsOf(service, place), signal: AbortSignal.any([signal, deadline.signal]), onProgress });
  } catch (error) {
    return unjudged(service, place.seed, (error as Error).message, startedAt);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes sure, before anything is judged, that a service can be: what it refers to is there, and its options are allowed. */
export function checkService(file: FleetFile, service: Service, place: Place): void {
  try {
    const { spec: profile } = validateOptions(optionsOf(service, place));
    if (profile !== spec && profileOf(profile).catalogue !== profileOf(spec).catalogue)
      throw new OptionError(
        'spec',
        'has a catalogue of its own; the services of a fleet are judged by one catalogue, so that they compare',
      );
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof OptionError) throw file.problem(service, keyOf(error), message.slice(error.option.length + 2));
    throw code?.startsWith('HYDRAUTH_') ? file.problem(service, 'name', message) : error;
  }
}

/** What `runConformance` takes, with everything read that the service refers to. */
export function optionsOf({ url, options }: Service, place: Place): ConformanceOptions {
  const given = Object.entries(options).map(([name, value]) => {
    const { key, value: form, many } = serviceOptions.get(name) ?? { key: name };
    if (many) return [key, (value as Reference[]).flatMap((each) => textsOf(each, key, place))] as const;
    if (/^F(ILE)?$/.test(form ?? '')) return [key, pathIn(place, value as string, key)] as const;
    if (key === 'clock')
      return [key, (value as string).replace(/^faketime:(.+)/, (_, file) => `faketime:${pathIn(place, file, key)}`)] as const;
    return [key, value] as const;
  });
  return { collections: [], ...Object.fromEntries(given), baseUrl: url, seed: place.seed };
}

function pathIn({ folder, isClosed }: Place, path: string, key: string): string {
  const found = resolve(folder, path);
  if (isClosed && !leadsTo(found).startsWith(`${leadsTo(folder)}${sep}`))
    throw new OptionError(key, `${path} is not in the folder of the worker`);
  return found;
}

function textsOf(reference: Reference, key: string, place: Place): string[] {
  if (typeof reference === 'string') return [reference];
  const lines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if ('env' in reference) {
    const text = (Object.hasOwn(place.env, reference.env) && place.env[reference.env]) || '';
    if (text.trim() === '') throw new OptionError(key, `the environment variable ${reference.env} is not set`);
    return lines(text);
  }
  const refuse = (code: string) => new OptionError(key, `${reference.file} cannot be read (${code})`);
  return lines(readGiven(pathIn(place, reference.file, key), refuse));
}

/** The report of a service that could not be judged at all. */
export function unjudged({ url }: Service, seed: number, why: string, startedAt = new Date()): Report {
  return makeReport({
    spec,
    options: { auth: 'on', seed, runs: 1, baseline: [], strict: false },
    target: { url, collections: [], users: [], clock: 'none', auth: 'on' },
    ...{ findings: [], observations: [], remarks: [], engines: [], selected: spec.catalogue.requirements.map(({ id }) => id) },
    ...{ error: /[.!?]$/.test(why) ? why : `${why}.`, fatal: true },
    ...{ startedAt, durationMs: Date.now() - startedAt.getTime(), requests: 0 },
    ...{ record: () => [], curl: () => null, redact: (text) => text },
  });
}
