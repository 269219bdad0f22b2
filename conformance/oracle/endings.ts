import { truncateBody } from '../evidence/index.js';
import { type Exchange, isHungUp } from '../wire/index.js';

/** What a target can do for everybody: answer, and log in whoever has a fresh nonce and right credentials. */
export type Ability = 'answers' | 'logins';

/** Something that worked, and then never worked again. */
export interface Ending {
  readonly lastWorked: Exchange;
  /** What was sent in between, the last ones; one of them may be the cause. */
  readonly between: readonly Exchange[];
  readonly failures: readonly [Exchange, ...Exchange[]];
}

/** Between two logins that worked there are rarely more. */
const mostBetween = 400;

/** Follows one ability through the run. */
class Track {
  private lastWorked: Exchange | undefined;
  private recent: Exchange[] = [];
  private failures: Exchange[] = [];

  /** What was sent before a failure was seen does not show that it works again. */
  works(exchange: Exchange): void {
    this.lastWorked = exchange;
    this.failures = this.failures.filter(({ sentAtMs, durationMs }) => sentAtMs + durationMs > exchange.sentAtMs);
  }

  fails(exchange: Exchange): void {
    this.failures.push(exchange);
  }

  /** Another request, which may be what ended it. */
  passes(exchange: Exchange): void {
    if (this.failures.length > 0) return;
    this.recent.push(truncateBody(exchange));
    if (this.recent.length > mostBetween) this.recent.shift();
  }

  get ending(): Ending | undefined {
    const { lastWorked } = this;
    const [first, ...more] = this.failures;
    if (lastWorked === undefined || first === undefined) return undefined;
    // What was answered while the last one was under way comes between, too.
    const between = this.recent.filter(({ sentAtMs, durationMs }) => sentAtMs + durationMs >= lastWorked.sentAtMs);
    return { lastWorked, between, failures: [first, ...more] };
  }
}

/** Knows what has stopped working. Whether it stays so, somebody has to try. */
export class Endings {
  private readonly tracks: Readonly<Record<Ability, Track>> = { answers: new Track(), logins: new Track() };

  /** `login`: whether the request had to be given a token, and was. */
  note(exchange: Exchange, login: 'works' | 'fails' | undefined): void {
    const { answers, logins } = this.tracks;
    if (exchange.answer !== undefined) answers.works(exchange);
    if (isHungUp(exchange) || exchange.problem?.code === 'timeout') {
      // What itself gets no answer may be the cause.
      answers.passes(exchange);
      answers.fails(exchange);
    }
    if (login === undefined) logins.passes(exchange);
    else logins[login](exchange);
  }

  of(ability: Ability): Ending | undefined {
    return this.tracks[ability].ending;
  }
}
