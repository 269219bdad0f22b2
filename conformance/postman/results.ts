import { capital, type Finding, sentence, told } from '../finding.js';
import type { Chain, Exchange } from '../wire/index.js';
import type { NewmanEvent } from './newman/index.js';
import { leadingTo, type PlannedCheck, type PlannedRequest, testName } from './plan/index.js';

/** What Newman told of its requests and tests, kept until it has ended. */
export class NewmanResults {
  /** By the id of the request, in the order in which they were sent. */
  readonly exchanges = new Map<string, Exchange>();
  readonly #tests = new Map<string, Test>();
  readonly #brokenScripts = new Map<string, string>();

  add(event: NewmanEvent): void {
    if (event.kind === 'broke') this.#brokenScripts.set(event.id, event.message);
    if (event.kind === 'test') {
      const name = event.name.split(untestedMark)[0] as string;
      const reason = event.name.slice(name.length + untestedMark.length, -1);
      const error = event.skipped ? reason : event.error;
      this.#tests.set(name, { skipped: event.skipped, ...(error === undefined ? {} : { error }) });
    }
    if (event.kind === 'exchange') {
      const { kind: _, id, sentAtEpochMs, answer, ...exchange } = event;
      this.exchanges.set(id, {
        ...exchange,
        // A buffer arrives from the other process as a bare Uint8Array.
        ...(answer === undefined ? {} : { answer: { ...answer, body: Buffer.from(answer.body) } }),
        sentAtMs: sentAtEpochMs - performance.timeOrigin,
      });
    }
  }

  /** The first script or check that broke: a mistake of the collection, whatever the target sent. */
  broken(requests: readonly PlannedRequest[]): string | undefined {
    for (const { id, name, checks } of requests) {
      const tests = checks.map((check) => this.#tests.get(testName(check)));
      const broken = this.#brokenScripts.get(id) ?? tests.find((test) => test !== undefined && isBroken(test))?.error;
      if (broken !== undefined) return `at "${name}": ${broken}`;
    }
    return undefined;
  }

  finding(requests: readonly PlannedRequest[], request: PlannedRequest, check: PlannedCheck, ended: string | undefined): Finding {
    const base = {
      requirement: check.requirement,
      check: checkId(check),
      engine: 'postman',
      durationMs: Math.round((this.exchanges.get(request.id)?.durationMs ?? 0) / request.checks.length),
    } as const;
    const test = this.#tests.get(testName(check));
    const untested = (reason: string): Finding => ({ ...base, outcome: 'untested', message: capital(sentence(reason)) });
    if (test === undefined) {
      const broken = this.#brokenScripts.get(request.id);
      return untested(broken === undefined ? (ended ?? 'the collection did not judge it') : `the script of the request broke: ${broken}`);
    }
    if (test.skipped) return untested(this.#reason(request, test.error ?? ''));
    if (test.error === undefined) return { ...base, outcome: 'pass' };
    if (isBroken(test)) return untested(test.error);
    const [, expected, actual] = failure.exec(test.error) as unknown as [string, string, string];
    const chain = this.#chain(leadingTo(requests, check.refusal ?? request.id, ...check.also));
    return { ...base, outcome: 'fail', expected, actual, message: told(expected, actual), chain };
  }

  /** The script knows only that no answer came; the exchange says why. */
  #reason({ id }: PlannedRequest, told: string): string {
    const problem = this.exchanges.get(id)?.problem;
    return problem === undefined ? told || 'it was skipped' : `no answer came: ${problem.message}`;
  }

  #chain(requests: readonly PlannedRequest[]): Chain {
    return requests.flatMap(({ id, advanceMs, toClock }): Chain => {
      const exchange = this.exchanges.get(id);
      if (exchange === undefined) return [];
      if (toClock) return advanceMs === undefined ? [] : [{ advancedMs: advanceMs }];
      return [exchange];
    });
  }
}

const untestedMark = ' [untested: ';
const failure = /^expected (.*); got (.*)$/s;

interface Test {
  readonly skipped: boolean;
  readonly error?: string;
}

/** Neither passed nor skipped nor failed. */
const isBroken = ({ skipped, error }: Test) => !skipped && error !== undefined && !failure.test(error);

/** The id of a check: its requirement and what it shows, in letters that need no quoting. */
function checkId({ requirement, what }: PlannedCheck): string {
  const slug = what.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${requirement}:${slug.replace(/^-|-$/g, '')}`;
}
