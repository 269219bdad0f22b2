import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import type { Spec } from '../spec/index.js';
import { type ClientConformanceOptions, runClientConformance, validateClientOptions } from './client/index.js';
import { isWaitedFor } from './clock/index.js';
import { explanation, failsStrictly, type Report, type ReportRequirement, selectedIds, verdictSentence, visible } from './report/index.js';
import { type ConformanceOptions, OptionError, runConformance, validateOptions } from './run/index.js';

const targetOptions = ['baseUrl', 'collections', 'users', 'clock', 'ca', 'insecure'] as const;

/** What may be known only when the tests run, because a hook starts the service. */
export type ConformanceTarget = Pick<ConformanceOptions, (typeof targetOptions)[number]>;

interface Waiting {
  /** How long the whole run may take. Default: ten minutes, and with `clock: 'wait'` the lifetime of a token more. */
  readonly runTimeoutMs?: number;
  /** Is handed the report when the run has ended, to write it or to look at its observations. */
  readonly onReport?: (report: Report) => unknown;
}

/** The options of `runConformance`, those of the target also from `target`. */
export interface DescribeOptions extends Omit<ConformanceOptions, keyof ConformanceTarget | 'signal'>, Partial<ConformanceTarget>, Waiting {
  /** The name of the describe block. */
  readonly name?: string;
  /** More of the options of the target. A function is called once, after the caller's own `beforeAll` hooks. */
  readonly target?: Given | Promise<Given> | (() => Given | Promise<Given>);
}

type Given = Partial<ConformanceTarget>;

const defaultRunTimeoutMs = 600_000;

/** Registers one test a requirement. The run happens once, before the first of them. */
export function describeConformance(options: DescribeOptions): void {
  const { name = 'hydrauth conformance', target, runTimeoutMs, onReport, ...settings } = options;
  // Checked now with stand-ins for what only `target` knows, so that a wrong option fails where it stands.
  const standIns = target === undefined ? {} : { baseUrl: 'http://localhost', collections: ['-'], users: ['0:-'] };
  const validated = validateOptions({ ...standIns, ...settings } as ConformanceOptions);
  const { spec, strict, clock } = validated;
  const waitMs = isWaitedFor(clock) ? spec.protocol.token.lifetimeMs : 0;
  describeRun({
    ...{ called: describeConformance, name, spec, strict, selected: new Set(selectedIds(validated)), onReport },
    runTimeoutMs: runTimeoutMs ?? defaultRunTimeoutMs + waitMs,
    async run(signal) {
      const given = checked(await (typeof target === 'function' ? target() : target));
      return runConformance({ ...settings, ...given, signal } as ConformanceOptions);
    },
  });
}

/** The options of `runClientConformance`. */
export interface DescribeClientOptions extends Omit<ClientConformanceOptions, 'signal' | 'onProgress'>, Waiting {}

/** The same for a client: one test for each requirement of clients. */
export function describeClientConformance(options: DescribeClientOptions): void {
  const { runTimeoutMs = defaultRunTimeoutMs, onReport, ...settings } = options;
  const { spec, selected, strict } = validateClientOptions(settings);
  describeRun({
    ...{ called: describeClientConformance, spec, strict, selected, onReport, runTimeoutMs },
    name: `hydrauth conformance${settings.name === undefined ? ' of a client' : ` of ${settings.name}`}`,
    run: (signal) => runClientConformance({ ...settings, signal }),
  });
}

interface Described {
  /** What the caller called: its errors point there. */
  readonly called: (...options: never[]) => void;
  readonly name: string;
  readonly spec: Pick<Spec, 'catalogue'>;
  readonly strict: boolean;
  readonly selected: ReadonlySet<string>;
  readonly runTimeoutMs: number;
  readonly onReport: DescribeOptions['onReport'] | undefined;
  run(signal: AbortSignal): Promise<Report>;
}

function describeRun({ called, name, spec, strict, selected, runTimeoutMs, onReport, run }: Described): void {
  const caller: { stack?: string } = {};
  Error.captureStackTrace(caller, called);
  describe(name, () => {
    const interruption = new AbortController();
    let report: Report | undefined;

    beforeAll(async () => {
      report = await run(interruption.signal);
      await onReport?.(report);
      if (report.verdict === 'error' || report.verdict === 'incomplete') throw failure(`No verdict. ${verdictSentence(report)}`, caller);
    }, runTimeoutMs);
    afterAll(() => interruption.abort());

    for (const { id, statement } of spec.catalogue.requirements.filter((row) => selected.has(row.id))) {
      test(`${id}: ${statement}`, async (context) => {
        const found = report?.requirements.find((each) => each.id === id);
        if (found === undefined) throw failure('The report does not speak of it.', caller);
        if (report?.staleBaseline?.includes(id) === true)
          throw failure(`The baseline lists ${id}, which now passes. Remove its entry.`, caller);
        const problem = await tell(found, strict, context);
        if (problem !== undefined) throw failure(problem, caller);
      });
    }
  });
}

/** Says the outcome to Vitest; gives why the test fails, if it does. */
async function tell(found: ReportRequirement, strict: boolean, context: TestContext): Promise<string | undefined> {
  const { outcome, reason = '' } = found;
  if (outcome === 'pass') return undefined;
  if (outcome === 'fail' || (strict && failsStrictly(found)))
    return `${outcome === 'untested' ? `Untested: ${reason}\n` : ''}${explanation(found)}`;
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
