import type { Finding } from '../finding.js';
import type { Chain, Exchange } from '../wire/index.js';
import type { News } from './newman/index.js';
import { leadingTo, type PlannedCheck, type PlannedRequest, testName } from './plan/index.js';

/** What is heard from Newman, kept until it has ended. */
export class Heard {
  readonly exchanges = new Map<string, Exchange>();
  readonly #tests = new Map<string, { skipped: boolean; error?: string }>();
  readonly #broken = new Map<string, string>();
  readonly #began = new Map<string, number>();

  hear(news: News): void {
    if (news.kind === 'began') this.#began.set(news.id, performance.now());
    if (news.kind === 'broke') this.#broken.set(news.id, news.message);
    if (news.kind === 'test') {
      const name = news.name.split(untestedMark)[0] as string;
      const reason = news.name.slice(name.length + untestedMark.length, -1);
      const error = news.skipped ? reason : news.error;
      this.#tests.set(name, { skipped: news.skipped, ...(error === undefined ? {} : { error }) });
    }
    if (news.kind === 'exchange') {
      const { kind: _, id, ...exchange } = news;
      const answer = exchange.answer && { ...exchange.answer, body: Buffer.from(exchange.answer.body) };
      this.exchanges.set(id, {
        ...exchange,
        ...(answer === undefined ? {} : { answer }),
        sentAtMs: this.#began.get(id) ?? performance.now(),
      });
    }
  }

  /** Sentences about what kept Newman from judging: scripts that broke, exchanges that did. */
  problems(requests: readonly PlannedRequest[]): string[] {
    return requests.flatMap(({ id, name }) => {
      const problem = this.exchanges.get(id)?.problem;
      const broken = this.#broken.get(id);
      return [...(problem ? [`${name}: ${problem.message}.`] : []), ...(broken ? [`${name}: its script broke: ${broken}.`] : [])];
    });
  }

  finding(requests: readonly PlannedRequest[], request: PlannedRequest, check: PlannedCheck, ended: string | undefined): Finding {
    const base = { requirement: check.requirement, check: checkId(check), engine: 'postman' } as const;
    const heard = this.#tests.get(testName(check));
    const untested = (reason: string): Finding => ({ ...base, outcome: 'untested', message: sentence(reason) });
    if (heard === undefined) {
      const broken = this.#broken.get(request.id);
      return untested(broken === undefined ? (ended ?? 'the collection did not judge it') : `the script of the request broke: ${broken}`);
    }
    if (heard.skipped) return untested(this.#reason(request, heard.error ?? ''));
    if (heard.error === undefined) return { ...base, outcome: 'pass' };
    const told = failure.exec(heard.error);
    if (told === null) return untested(heard.error);
    const [, expected, actual] = told as unknown as [string, string, string];
    const chain = this.#chain(leadingTo(requests, check.refusal ?? request.id, ...(check.also ?? [])));
    return { ...base, outcome: 'fail', expected, actual, message: sentence(`expected ${expected}, but got ${actual}`), chain };
  }

  /** The sandbox knows only that no answer came; here it is known why. */
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
