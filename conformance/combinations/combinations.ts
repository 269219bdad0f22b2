import { type Finding, lastOf } from '../finding.js';
import { isGranted } from '../oracle/index.js';
import { inParallel } from '../parallel.js';
import { type State, states } from '../states/index.js';
import { ifUntested, type Role, type Subject, type Token, Trial, Untested } from '../subject/index.js';
import type { Chain, Exchange } from '../wire/index.js';
import { type Case, type Cause, rowOf, rowsOf } from './case.js';
import {
  again,
  countsOnce,
  type Failure,
  isExplainedBy,
  isServed,
  isSteady,
  opensPlainly,
  sentTokens,
  shrink,
  type Try,
} from './failures.js';
import { findingsOf, type Told } from './findings.js';
import { casesOf } from './plan.js';
import { roleOf, sceneOf, sendCase, verdictOf } from './send.js';

interface CombinationOptions {
  readonly runs: number;
  readonly seed: number;
  readonly strength: 2 | 3;
  /** Cases to repeat instead of all. */
  readonly paths?: readonly string[];
  /** Whether one of these rows is selected, or a law that looks at answers of this role. */
  readonly wanted: (rows: readonly string[], role?: Role) => boolean;
}

/** So many failures are looked into one by one. Where more cases fail, others of the same states were told already. */
const mostLooked = 40;
/**
 * Where so many failures of a state do not happen again alone, no circumstance is their cause. The laws and the oracle tell of them. Logins
 * fail beside others where nonces displace each other, which says nothing of those that fail alone, too.
 */
const mostVain = ({ about }: State) => (about === 'login' ? mostLooked : 3);

/** As many as are tried before they are looked into, where a few violations are enough. */
const aFew = 50;
/** So many failures of a state that are explained already are looked into for what stands beside the cause. */
const mostBeside = 12;

const add = <Key>(counts: Map<Key, number>, key: Key, by = 1) => void counts.set(key, (counts.get(key) ?? 0) + by);

/** Tries every state in every circumstance, two at a time, and finds the causes of what fails. */
export class Combinations {
  cases: readonly Case[];
  /** How many pairs of values (triples with strength 3) the cases cover; 0 where a selection leaves some of the cases out. */
  tuples: number;
  readonly held = new Map<string, number>();
  readonly failed = new Map<string, number>();
  readonly reasons = new Map<string, Untested>();
  readonly told: Told[] = [];
  readonly took = new Map<string, number>();
  /** States that fail without any circumstance. */
  private readonly plain = new Set<State>();
  private readonly vain = new Map<State, number>();
  private looked = 0;
  private readonly lookedBeside = new Map<State, number>();
  /** Those that said something of the target. */
  private readonly run = new Set<Case>();
  private readonly pending: { readonly raw: readonly Failure[]; readonly attempt: Try }[] = [];

  constructor(
    readonly subject: Subject,
    readonly options: CombinationOptions,
  ) {
    const { cases, tuples } = casesOf(subject, options);
    // A token that was used at half its time is tried again after its end, to see whether the use prolonged it.
    const later = ({ state }: Case) => (state.moment === 'middle' || state.moment === 'expired' ? ['expiry.not-sliding'] : []);
    this.cases = cases.filter((each) => options.wanted([...rowsOf(each), ...later(each)], roleOf(each)));
    this.tuples = this.cases.length === cases.length ? tuples : 0;
  }

  /** Leaves out all but the first of the plan. */
  keepFirst(most: number): void {
    if (most >= this.cases.length) return;
    this.cases = this.cases.slice(0, most);
    this.tuples = 0;
  }

  /** Leaves out all but the plainest case of each of these rows. */
  keepPlainest(rows: readonly string[]): void {
    const plainFirst = [...this.cases].sort((one, other) => one.causes.length - other.causes.length);
    this.cases = [...new Set(rows.flatMap((row) => plainFirst.find((each) => rowsOf(each).includes(row)) ?? []))];
    this.tuples = 0;
  }

  /** Those that can be tried at any time, with tokens that were just issued; a few at a time where they are looked into at once. */
  async atAnyTime(lookBack?: () => Promise<void>): Promise<void> {
    if (this.subject.facts.challengeStatus === undefined) return;
    const left = spread(this.cases.filter(({ state }) => state.moment === 'any'));
    while (left.length > 0) {
      const some = left.splice(0, lookBack === undefined ? left.length : aFew);
      this.lookLater(await this.tryAll(some, async (trial) => ({ value: await trial.sharedToken(), user: trial.user })), (tried) =>
        this.attempt(tried, (trial) => this.livingToken(trial)).then((failure) => failure && { ...failure, isControlled: true }),
      );
      await lookBack?.();
    }
  }

  /** A token that a plain request proves to be valid: the shared one where it is, which needs no login that a target may refuse by now. */
  private async livingToken(trial: Trial): Promise<Token> {
    const shared = await trial.sharedToken().catch(ifUntested);
    if (shared !== undefined && (await opensPlainly(shared, this.subject))) return { value: shared, user: trial.user };
    trial.chain.length = 0;
    return trial.login();
  }

  /** Remembers what failed beside other checks. */
  lookLater(raw: readonly Failure[], attempt: Try): void {
    this.pending.push({ raw, attempt });
  }

  /** Looks into it. To be called when nothing else is under way. */
  async lookBack(): Promise<void> {
    for (const { raw, attempt } of this.pending.splice(0)) await this.lookInto(await this.withLivingTokens(raw, attempt), attempt);
  }

  /** What failed with a token that has ended since is tried once more: the end of the token is told elsewhere, and hid what the case shows. */
  private async withLivingTokens(raw: readonly Failure[], attempt: Try): Promise<Failure[]> {
    const ended = new Map<string, boolean>();
    const kept: Failure[] = [];
    for (const failure of raw) {
      const [token] = failure.tried.state.about === 'valid-token' ? sentTokens(failure, this.subject) : [];
      if (token !== undefined && !ended.has(token)) ended.set(token, !(await opensPlainly(token, this.subject)));
      const seen = token !== undefined && ended.get(token) === true ? await attempt(failure.tried) : failure;
      if (seen !== undefined) kept.push(seen);
    }
    return kept;
  }

  /** Tries cases beside each other and gives those that failed. */
  async tryAll(cases: readonly Case[], tokenOf: (trial: Trial, tried: Case) => Promise<Token>): Promise<Failure[]> {
    const { concurrency, facts } = this.subject;
    const width = facts.oneAtATime === undefined ? concurrency : 1;
    const raw: Failure[] = [];
    await inParallel(cases, width, async (tried) => {
      const failure = await this.attempt(tried, tokenOf, new Trial(this.subject, { sharesNonces: true }));
      if (failure !== undefined) raw.push(failure);
    });
    return raw;
  }

  /** Sends one case, when its turn has come, and says whether it fails. */
  async attempt(
    tried: Case,
    tokenOf: (trial: Trial, tried: Case) => Promise<Token>,
    trial = new Trial(this.subject),
    turn?: () => Promise<void>,
  ): Promise<Failure | undefined> {
    let used: Token | undefined;
    const token = async () => {
      used = await tokenOf(trial, tried);
      return used;
    };
    const exchange = await sendCase(tried, trial, token, turn).catch((error: unknown) => {
      if (!(error instanceof Untested)) throw error;
      this.say(tried, error);
    });
    if (exchange === undefined) return undefined;
    add(this.took, rowOf(tried), exchange.durationMs);
    if (used !== undefined && this.isOfOtherAge(tried, exchange)) return undefined;
    const verdict = verdictOf(tried, exchange, trial);
    if (verdict.kind !== 'open') this.run.add(tried);
    if (verdict.kind === 'fails') {
      add(this.failed, verdict.row ?? rowOf(tried));
      return { tried, verdict, chain: trial.chain.slice() };
    }
    if (verdict.kind === 'open') {
      this.say(tried, new Untested(verdict.why));
      // A server error may be due to the circumstance; not where the same is granted when it is sent once more.
      if (tried.state.about === 'login' && (exchange.answer?.status ?? 0) >= 500)
        await this.sendAgain(tried, exchange, trial.chain.slice());
    }
    // A token that was never honoured may be refused for another reason than its age.
    else if (tried.state.about === 'expired-token' && used !== undefined && this.subject.oracle.tokens.usesOf(used.value) === 0)
      this.say(tried, new Untested('the token was not accepted before it expired, so a refusal afterwards proves nothing'));
    else for (const row of rowsOf(tried)) add(this.held, row);
    return undefined;
  }

  private async sendAgain(tried: Case, lost: Exchange, chain: Chain): Promise<void> {
    const trial = new Trial(this.subject);
    // With a nonce of the same request as then.
    [trial.repeats] = this.subject.oracle.givenTo(lost.request);
    const again = await sendCase(tried, trial, () => trial.login()).catch(ifUntested);
    if (again !== undefined && isGranted(again, this.subject.protocol)) this.subject.oracle.noteLostLogin(lost, chain);
  }

  /** Whether a token had another age than its state says by the time it was used, so that the answer says nothing. */
  private isOfOtherAge({ state: { about } }: Case, exchange: Exchange): boolean {
    const expectation = this.subject.oracle.expectationOf(exchange);
    const isAboutAge = about === 'valid-token' || about === 'expired-token';
    return isAboutAge && (expectation.must === 'open' || expectation.about !== about);
  }

  private say(tried: Case, why: Untested): void {
    for (const row of rowsOf(tried)) this.reasons.set(row, why);
  }

  /** Finds the causes of what failed, with nothing beside it. */
  async lookInto(raw: readonly Failure[], attempt: Try): Promise<void> {
    // The simplest first: they explain the others.
    const simplest = [...raw].sort((one, other) => one.tried.causes.length - other.tried.causes.length);
    for (const each of simplest) {
      const { state } = each.tried;
      const failure = this.plain.has(state) ? undefined : await this.besidesTold(each, attempt);
      if (failure === undefined) continue;
      if ((this.vain.get(state) ?? 0) >= mostVain(state) || this.looked >= mostLooked) continue;
      const seen = await again(failure, attempt);
      if (seen === undefined) {
        add(this.vain, state);
        const last = lastOf(failure.chain);
        if (state.about === 'login' && last !== undefined) await this.sendAgain(failure.tried, last, failure.chain);
        if (await countsOnce(failure, this.subject)) this.tell(failure, 'not again');
        continue;
      }
      this.looked += 1;
      const shrunk = await shrink(seen, attempt);
      if (!(await isSteady(shrunk, attempt))) {
        if (await countsOnce(failure, this.subject)) this.tell(failure, 'sometimes');
        continue;
      }
      const isPlain = shrunk.tried.causes.length === 0;
      if (isPlain) this.plain.add(state);
      // A failure without any circumstance is told by the laws and the oracle. Here it is told only of a state that no law covers.
      if (isPlain && state.hasNoLaw !== true) continue;
      const plainest = await this.asPlainly(shrunk, attempt);
      if (isPlain ? plainest === shrunk : this.explaining(plainest).length === 0) this.tell(plainest);
    }
  }

  /** The failure; or, where others that were told explain it, what is left of it without their causes. Whatever stands beside a cause is not to be hidden by it. */
  private async besidesTold(failure: Failure, attempt: Try): Promise<Failure | undefined> {
    const { state, causes } = failure.tried;
    const known = this.explaining(failure);
    if (known.length === 0) return failure;
    const isKnown = ({ dimension, circumstance }: Cause) =>
      known.some(({ tried }) => tried.causes.some((each) => each.dimension === dimension && each.circumstance.id === circumstance.id));
    const left = causes.filter((each) => !isKnown(each));
    if (left.length === 0 || left.length === causes.length || (this.lookedBeside.get(state) ?? 0) >= mostBeside) return undefined;
    add(this.lookedBeside, state);
    const seen = await attempt({ state, causes: left });
    return seen === undefined || this.explaining(seen).length > 0 ? undefined : seen;
  }

  /** Whether a state of this asker fails without any circumstance. */
  failsPlainly(about: State['about']): boolean {
    return [...this.plain].some((state) => state.about === about);
  }

  /** Those of the told failures that explain another. */
  private explaining(failure: Failure, told: readonly Told[] = this.told): Told[] {
    const scene = sceneOf(this.subject);
    return told.filter((known) => isExplainedBy(failure, known, scene));
  }

  private tell(failure: Failure, byChance?: Told['byChance']): void {
    const { tried, verdict } = failure;
    const row = (byChance === undefined ? undefined : tried.state.byChance) ?? verdict.row ?? rowOf(tried);
    const now: Told = { ...failure, row, ...(byChance === undefined ? {} : { byChance }) };
    // What was told before may be a part of it.
    const others = this.told.filter((known) => this.explaining(known, [now]).length === 0);
    this.told.splice(0, Number.POSITIVE_INFINITY, ...others, now);
  }

  /** How many cases were planned, and how many could be run. */
  counted(): { planned: number; run: number } {
    return { planned: this.cases.length, run: this.cases.filter((each) => this.run.has(each)).length };
  }

  findings(): Finding[] {
    return findingsOf(this, this.options.seed);
  }

  /** The same failure in a state that brings less, where it happens there, too. */
  private async asPlainly(failure: Failure, attempt: Try): Promise<Failure> {
    const { state, causes } = failure.tried;
    const less = [...(isServed(failure) ? [states.find(({ about }) => about === 'stranger')?.id ?? ''] : []), ...(state.plainer ?? [])];
    for (const plainer of states.filter(({ id }) => less.includes(id))) {
      const seen = await attempt({ state: plainer, causes });
      if (seen !== undefined && (plainer.about !== 'stranger' || isServed(seen))) return seen;
    }
    return failure;
  }
}

/** The cases of each state spread over all of them, so that those which need a nonce find one that came to others. */
export function spread(cases: readonly Case[]): Case[] {
  const [places, counts] = [new Map<State, number>(), new Map<State, number>()];
  for (const { state } of cases) add(counts, state);
  const spots = cases.map((each) => {
    add(places, each.state);
    return { each, spot: (places.get(each.state) as number) / (counts.get(each.state) as number) };
  });
  return spots.sort((one, other) => one.spot - other.spot).map(({ each }) => each);
}
