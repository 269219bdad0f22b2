import type { Finding } from '../finding.js';
import type { Chain, Exchange } from '../wire/index.js';
import type { NewmanEvent } from './newman/index.js';
import { leadingTo, type PlannedCheck, type PlannedRequest, testName } from './plan/index.js';

/** What Newman told of its requests and tests, kept until it has ended. */
export class NewmanResults {
  /** By the id of the request, in the order in which they were sent. */
  readonly exchanges = new Map<string, Exchange>();
  readonly #tests = new Map<string, { skipped: boolean; error?: string }>();
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

  /** What kept Newman from judging, as sentences: exchanges and scripts that broke. */
  problems(requests: readonly PlannedRequest[]): string[] {
    return requests.flatMap(({ id, name }) => {
      const problem = this.exchanges.get(id)?.problem;
      const broken = this.#brokenScripts.get(id);
      return [...(problem ? [`${name}: ${problem.message}.`] : []), ...(broken ? [`${name}: its script broke: ${broken}.`] : [])];
    });
  }

  finding(requests: readonly PlannedRequest[], request: PlannedRequest, check: PlannedCheck, ended: string | undefined): Finding {
    const base = { requirement: check.requirement, check: checkId(check), engine: 'postman' } as const;
    const told = this.#tests.get(testName(check));
    const untested = (reason: string): Finding => ({ ...base, outcome: 'untested', message: sentence(reason) });
    if (told === undefined) {
      const broken = this.#brokenScripts.get(request.id);
      return untested(broken === undefined ? (ended ?? 'the collection did not judge it') : `the script of the request broke: ${broken}`);
    }
    if (told.skipped) return untested(this.#reason(request, told.error ?? ''));
    if (told.error === undefined) return { ...base, outcome: 'pass' };
    const failed = failure.exec(told.error);
    if (failed === null) return untested(told.error);
    const [, expected, actual] = failed as unknown as [string, string, string];
    const chain = this.#chain(leadingTo(requests, check.refusal ?? request.id, ...check.also));
    return { ...base, outcome: 'fail', expected, actual, message: sentence(`expected ${expected}, but got ${actual}`), chain };
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

/** The id of a check: its requirement and what it shows, in letters that need no quoting. */
function checkId({ requirement, what }: PlannedCheck): string {
  const slug = what.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${requirement}:${slug.replace(/^-|-$/g, '')}`;
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}
