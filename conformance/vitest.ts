import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import type { Requirement } from '../spec/index.js';
import { type ClientConformanceOptions, runClientConformance, validateClientOptions } from './client/index.js';
import { isWaitedFor } from './clock/index.js';
import { explanation, failsStrictly, type Report, type ReportRequirement, selectedIds, verdictSentence, visible } from './report/index.js';
import { type ConformanceOptions, OptionError, runConformance, validateOptions } from './run/index.js';

/** What may be known only when the tests run, because a hook starts the service. */
export type ConformanceTarget = Pick<ConformanceOptions, 'baseUrl' | 'collections' | 'users' | 'clock' | 'ca' | 'insecure'>;

/** The options of `runConformance`, those of the target also from `target`. */
export interface DescribeOptions extends Omit<ConformanceOptions, keyof ConformanceTarget | 'signal'>, Partial<ConformanceTarget> {
  /** The name of the describe block. */
  readonly name?: string;
  /** More of the options of the target. A function is called once, after the caller's own `beforeAll` hooks. */
  readonly target?: Given | Promise<Given> | (() => Given | Promise<Given>);
  /** How long the whole run may take. Default: ten minutes, and with `clock: 'wait'` the lifetime of a token more. */
  readonly runTimeoutMs?: number;
  /** Is handed the report when the run has ended, to write it or to look at its observations. */
  readonly onReport?: (report: Report) => unknown;
}

type Given = Partial<ConformanceTarget>;

const targetOptions: readonly (keyof ConformanceTarget)[] = ['baseUrl', 'collections', 'users', 'clock', 'ca', 'insecure'];
const defaultRunTimeoutMs = 600_000;

/** Registers one test a requirement. The run happens once, before the first of them. */
export function describeConformance(options: DescribeOptions): void {
  const { name = 'hydrauth conformance', target, runTimeoutMs, onReport, ...settings } = options;
  // Checked now with stand-ins for what only `target` knows, so that a wrong option fails where it stands.
  const standIns = target === undefined ? {} : { baseUrl: 'http://localhost', collections: ['-'], users: ['0:-'] };
  const validated = validateOptions({ ...standIns, ...settings } as ConformanceOptions);
  const { spec, strict, clock } = validated;
  const waitMs = isWaitedFor(clock) ? spec.protocol.token.lifetimeMs : 0;
  const selected = new Set(selectedIds(validated));
  describeRun({
    name,
    rows: spec.catalogue.requirements.filter(({ id }) => selected.has(id)),
    strict,
    runTimeoutMs: runTimeoutMs ?? defaultRunTimeoutMs + waitMs,
    caller: callerOf(describeConformance),
    async run(signal) {
      const given = checked(await (typeof target === 'function' ? target() : target));
      const report = await runConformance({ ...settings, ...given, signal } as ConformanceOptions);
      await onReport?.(report);
      return report;
    },
  });
}

/** The options of `runClientConformance`. */
export interface DescribeClientOptions extends Omit<ClientConformanceOptions, 'signal' | 'onProgress'> {
  /** How long the whole run may take. Default: ten minutes. */
  readonly runTimeoutMs?: number;
  /** Is handed the report when the run has ended. */
  readonly onReport?: (report: Report) => unknown;
}

/** The same for a client: one test for each requirement of clients. */
export function describeClientConformance(options: DescribeClientOptions): void {
  const { runTimeoutMs = defaultRunTimeoutMs, onReport, ...settings } = options;
  const { spec, selected, strict } = validateClientOptions(settings);
  describeRun({
    name: `hydrauth conformance${settings.name === undefined ? ' of a client' : ` of ${settings.name}`}`,
    rows: spec.catalogue.requirements.filter(({ id }) => selected.has(id)),
    strict,
    runTimeoutMs,
    caller: callerOf(describeClientConformance),
    async run(signal) {
      const report = await runClientConformance({ ...settings, signal });
      await onReport?.(report);
      return report;
    },
  });
}

interface Described {
  readonly name: string;
  readonly rows: readonly Requirement[];
  readonly strict: boolean;
  readonly runTimeoutMs: number;
  readonly caller: { readonly stack?: string };
  run(signal: AbortSignal): Promise<Report>;
}

function describeRun({ name, rows, strict, runTimeoutMs, caller, run }: Described): void {
  describe(name, () => {
    const interruption = new AbortController();
    let report: Report | undefined;

    beforeAll(async () => {
      report = await run(interruption.signal);
      if (report.verdict === 'error' || report.verdict === 'incomplete') throw failure(`No verdict. ${verdictSentence(report)}`, caller);
    }, runTimeoutMs);
    afterAll(() => interruption.abort());

    for (const row of rows) {
      test(`${row.id}: ${row.statement}`, async (context) => {
        const found = report?.requirements.find(({ id }) => id === row.id);
        if (found === undefined) throw failure('The report does not speak of it.', caller);
        if (report?.staleBaseline?.includes(row.id) === true)
          throw failure(`The baseline lists ${row.id}, which now passes. Remove its entry.`, caller);
        const problem = await tell(found, strict, context);
        if (problem !== undefined) throw failure(problem, caller);
      });
    }
  });
}

function callerOf(called: (...options: never[]) => void): { stack?: string } {
  const caller: { stack?: string } = {};
  Error.captureStackTrace(caller, called);
  return caller;
}

/** Says the outcome to Vitest; gives why the test fails, if it does. */
async function tell(found: ReportRequirement, strict: boolean, context: TestContext): Promise<string | undefined> {
  const { outcome, reason = '' } = found;
  if (outcome === 'pass') return undefined;
  if (strict && outcome === 'untested' && failsStrictly(found)) return `Untested: ${reason}\n${explanation(found)}`;
  if (outcome === 'fail' || (strict && failsStrictly(found))) return explanation(found);
  if (outcome === 'untested') return context.skip(visible(reason));
  if (outcome === 'known-failure') return context.skip(visible(`Known failure: ${reason}`));
  await context.annotate(visible(explanation(found)), 'warning');
  return undefined;
}

function checked(given: Given | undefined): Given {
  for (const name of Object.keys(given ?? {})) {
    if (!targetOptions.some((allowed) => allowed === name))
      throw new OptionError('target', `it cannot give ${name}; it may give ${targetOptions.join(', ')}`);
  }
  return given ?? {};
}

/** An error that points at the call: what stands in this file explains nothing. */
function failure(message: string, caller: { readonly stack?: string }): Error {
  const error = new Error(visible(message));
  error.name = 'ConformanceError';
  const frames = (caller.stack ?? '').split('\n').slice(1).join('\n');
  error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}
