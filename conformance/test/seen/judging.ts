import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Change, fault } from '../../../fixtures/fixture.js';
import { applyFixtures, faults, variants } from '../../../fixtures/index.js';
import {
  defaultUsers,
  type ReferenceServerOptions,
  type RunningServer,
  type ServerFixture,
  startReferenceServer,
} from '../../../reference-server/index.js';
import { scratch } from '../../../spec/test/scratch.js';
import { type Called, calling } from '../../cli/test/calling.js';
import { type ConformanceOptions, type Outcome, type Report, runConformance } from '../../index.js';

/** A fault or variant by its id, or a change of this test's own. */
export type Wrong = string | Change;

/** Carried out after the test, the last one first. */
export const atTheEnd = (end: () => unknown): void =>
  onTestFinished(async () => {
    await end();
  });

const fixtureOf = (wrong: Wrong): ServerFixture => {
  if (typeof wrong !== 'string') return fault('of-this-test', [], '', wrong);
  const found = [...faults, ...variants].find(({ id }) => id === wrong);
  if (found === undefined) throw new Error(`there is no fault or variant ${wrong}`);
  return found;
};

/** A reference server, changed in these ways one after another, that ends with the test. */
export async function serving(wrong: readonly Wrong[] = [], base: ReferenceServerOptions = {}): Promise<RunningServer> {
  const server = await startReferenceServer(applyFixtures(wrong.map(fixtureOf), { recordLast: 0, ...base }));
  atTheEnd(() => server.close());
  return server;
}

/** What a run of the laws says of a server; with a manual clock, that clock is moved. */
export function judging(server: RunningServer, options: Partial<ConformanceOptions> = {}): Promise<Report> {
  return runConformance({
    baseUrl: server.url,
    collections: server.collections,
    users: defaultUsers,
    clock: server.clockUrl ?? 'none',
    engine: 'laws',
    seed: 7,
    runs: 1,
    ...options,
  });
}

/** The same in one step. */
export async function judged(
  wrong: readonly Wrong[],
  options: Partial<ConformanceOptions> = {},
  base: ReferenceServerOptions = {},
): Promise<Report> {
  return judging(await serving(wrong, base), options);
}

export const withOutcome = ({ requirements }: Report, outcome: Outcome): string[] =>
  requirements.filter((each) => each.outcome === outcome).map(({ id }) => id);
export const failedOf = (report: Report): string[] => withOutcome(report, 'fail');
export const warnedOf = (report: Report): string[] => withOutcome(report, 'warn');
/** All that was told, with what its failures explain. */
export const failuresOf = ({ requirements }: Report, id: string) =>
  requirements.find((each) => each.id === id)?.checks.filter(({ outcome }) => outcome === 'fail') ?? [];

/** Nothing of the judge's own inside: no stack, no exception. */
export const stackTrace = /^\s+at .+:\d+:\d+\)?$|(?:Type|Reference|Range)Error/m;

/** `hydrauth check` as it is called, with the report that it writes. */
export async function checking(
  url: string,
  words: readonly string[],
  users: readonly { id: number; paraphrase: string }[] = defaultUsers,
): Promise<Called & { readonly report: Report; readonly file: string }> {
  const file = join(scratch(), 'report.json');
  const collections = words.includes('--collection') ? [] : ['--collection', 'books', 'people'];
  const usual = words.includes('--engine') ? [] : ['--engine', 'laws'];
  const called = await calling(['check', url, ...collections, ...usual, '--runs', '1', '--seed', '7', '--json', file, ...words], {
    env: { HYDRAUTH_USERS: users.map(({ id, paraphrase }) => `${id}:${paraphrase}`).join('\n') },
  });
  return { ...called, file, report: JSON.parse(readFileSync(file, 'utf8')) as Report };
}
