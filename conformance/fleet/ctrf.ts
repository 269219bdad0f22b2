import { type Case, jsonText } from '../report/index.js';
import type { Fleet } from './fleet.js';

const statuses = { pass: 'passed', failure: 'failed', error: 'failed', skipped: 'skipped' } as const satisfies Record<Case['kind'], string>;

/** The run in the Common Test Report Format: a test per service and requirement. */
export function fleetCtrf(fleet: Fleet): string {
  const start = Date.parse(fleet.startedAt);
  const tests = fleet.services.flatMap(({ name, tags, cases, outcomes }) =>
    cases.map(({ name: requirement, kind, message, text, tookMs = 0 }) => ({
      ...{ name: `${name}: ${requirement}`, status: statuses[kind], duration: tookMs, suite: [name], tags },
      ...(kind === 'pass' || message === undefined ? {} : { message }),
      ...(text === undefined ? {} : { trace: text }),
      rawStatus: outcomes[requirement] ?? kind,
      flaky: outcomes[requirement] === 'flaky',
    })),
  );
  const of = (status: string) => tests.filter((each) => each.status === status).length;
  const tool = { name: fleet.kit.name, version: fleet.kit.version };
  const counts = { tests: tests.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped'), pending: 0, other: 0 };
  const summary = { ...counts, suites: fleet.services.length, start, stop: start + wholeMs(fleet) };
  return jsonText({ reportFormat: 'CTRF', specVersion: '1.0.0', generatedBy: 'hydrauth', results: { tool, summary, tests } });
}

/** All the time that judging took; services that were judged at once count one by one. */
export function wholeMs({ services }: Pick<Fleet, 'services'>): number {
  return services.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
