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

const mostBetween = 40;

/** Follows one ability through the run. */
class Track {
  private lastWorked: Exchange | undefined;
  private between: Exchange[] = [];
  private failures: Exchange[] = [];

  works(exchange: Exchange): void {
    [this.lastWorked, this.between, this.failures] = [exchange, [], []];
  }

  fails(exchange: Exchange): void {
    this.failures.push(exchange);
  }

  /** Another request, which may be what ended it. */
  passes(exchange: Exchange): void {
    if (this.failures.length > 0) return;
    this.between.push(exchange);
    if (this.between.length > mostBetween) this.between.shift();
  }

  get ending(): Ending | undefined {
    const { lastWorked, between } = this;
    const [first, ...more] = this.failures;
    return lastWorked === undefined || first === undefined ? undefined : { lastWorked, between, failures: [first, ...more] };
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
