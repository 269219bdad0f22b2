import type { Finding } from '../finding.js';
import { type State, states } from '../states/index.js';
import { type Subject, type Token, Trial, Untested } from '../subject/index.js';
import { type Exchange, isClockMove } from '../wire/index.js';
import { type Case, caseAt, pathOf } from './case.js';
import { again, type Failure, isExplainedBy, isServed, shrink, type Try } from './failures.js';
import { plan } from './plan.js';
import { sceneOf, sendCase } from './send.js';
import { rowOf, rowsOf } from './tell.js';
import { verdictOf } from './verdict.js';

export interface CombinationOptions {
  readonly runs: number;
  readonly seed: number;
  readonly strength: 2 | 3;
  /** Cases to repeat instead of all. */
  readonly paths?: readonly string[];
  /** Whether anybody wants to know what a case tells. */
  readonly wanted: (rows: readonly string[]) => boolean;
}

/** Failures looked into one by one. On a target where more fail, those of the same state are told already. */
const mostLooked = 40;
/** A state of which so many failures do not happen again alone fails for another reason, which the laws and the ledger tell. */
const mostVain = 3;

export interface Told extends Failure {
  readonly row: string;
  /** Of how many tries alone it failed once, where it did not fail again. */
  readonly byChance?: boolean;
}

/** Tries every state in every circumstance, two at a time, and finds the causes of what fails. */
export class Combinations {
  readonly cases: readonly Case[];
  /** How many pairs of values the cases cover. */
  readonly tuples: number;
  private readonly held = new Map<string, number>();
  private readonly reasons = new Map<string, Untested>();
  readonly told: Told[] = [];
  /** States that fail without any circumstance. */
  private readonly plain = new Set<State>();
  private readonly vain = new Map<State, number>();
  private looked = 0;

  constructor(
    readonly subject: Subject,
    readonly options: CombinationOptions,
  ) {
    const scene = sceneOf(subject);
    const possible = states.filter(
      ({ moment, about }) =>
        (subject.clock.canMove || !['middle', 'end', 'expired'].includes(moment)) &&
        (about === 'stranger' || subject.facts.noLogin === undefined),
    );
    const { cases, tuples } =
      options.paths === undefined
        ? plan(possible, scene, { strength: options.strength, seed: options.seed, randomCases: 2 * options.runs })
        : { cases: options.paths.flatMap((path) => caseAt(path, scene) ?? []), tuples: 0 };
    this.cases = cases.filter((each) => options.wanted(rowsOf(each)));
    this.tuples = tuples;
  }

  /** Those that can be tried at any time, with tokens that were just issued. */
  async atAnyTime(): Promise<void> {
    if (this.subject.facts.challengeStatus === undefined) return;
    const raw = await this.tryAll(
      this.cases.filter(({ state }) => state.moment === 'any'),
      (trial) => shared(trial),
    );
    await this.lookInto(raw, (tried) => this.attempt(tried, (trial) => trial.login()));
  }

  /** Those that give wrong credentials to real accounts: one after another, each followed by a login. */
  async late(): Promise<void> {
    if (this.subject.facts.challengeStatus === undefined) return;
    let attempts = 0;
    const attempt: Try = async (tried) => {
      const failure = await this.attempt(tried, (trial) => trial.login());
      // No account sees more than two wrong attempts before a right one.
      if (++attempts % 2 === 0) await new Trial(this.subject).login().catch(() => undefined);
      return failure;
    };
    const raw: Failure[] = [];
    for (const tried of this.cases.filter(({ state }) => state.moment === 'late')) {
      if (this.subject.lockedOut !== undefined) break;
      const failure = await attempt(tried);
      if (failure !== undefined) raw.push(failure);
    }
    await this.lookInto(raw, attempt);
  }

  /** Tries cases beside each other and gives those that failed. */
  async tryAll(cases: readonly Case[], tokenOf: (trial: Trial, tried: Case) => Promise<Token>): Promise<Failure[]> {
    const { concurrency, facts } = this.subject;
    const width = facts.oneAtATime === undefined ? concurrency : 1;
    const raw: Failure[] = [];
    let next = 0;
    const worker = async () => {
      for (let at = next++; at < cases.length; at = next++) {
        const failure = await this.attempt(cases[at] as Case, tokenOf);
        if (failure !== undefined) raw.push(failure);
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, cases.length) }, worker));
    return raw;
  }

  /** Sends one case and says whether it fails. */
  async attempt(tried: Case, tokenOf: (trial: Trial, tried: Case) => Promise<Token>): Promise<Failure | undefined> {
    const trial = new Trial(this.subject);
    let used: Token | undefined;
    let exchange: Exchange;
    try {
      exchange = await sendCase(tried, trial, async () => {
        used = await tokenOf(trial, tried);
        return used;
      });
    } catch (error) {
      if (!(error instanceof Untested)) throw error;
      this.say(tried, error);
      return undefined;
    }
    if (used !== undefined && this.isOfOtherAge(tried, used, exchange)) return undefined;
    const verdict = verdictOf(tried, exchange, trial);
    if (verdict.kind === 'fails') return { tried, verdict, chain: trial.chain.slice() };
    if (verdict.kind === 'open') this.say(tried, new Untested(verdict.why));
    // Of a token that never opened anything, its age need not be the reason of a refusal.
    else if (tried.state.about === 'expired-token' && used !== undefined && !this.subject.ledger.wasHonoured(used.value))
      this.say(tried, new Untested('the token was not seen to open anything before its end'));
    else for (const row of rowsOf(tried)) this.held.set(row, (this.held.get(row) ?? 0) + 1);
    return undefined;
  }

  private say(tried: Case, why: Untested): void {
    for (const row of rowsOf(tried)) this.reasons.set(row, why);
  }

  /** Finds the causes of what failed, with nothing beside it. */
  async lookInto(raw: readonly Failure[], attempt: Try): Promise<void> {
    // The simplest first: they explain the others.
    const simplest = [...raw].sort((one, other) => one.tried.causes.length - other.tried.causes.length);
    for (const failure of simplest) {
      const { state } = failure.tried;
      if (this.plain.has(state) || this.told.some((known) => isExplainedBy(failure, known))) continue;
      const vain = this.vain.get(state) ?? 0;
      if (vain >= mostVain || this.looked >= mostLooked) continue;
      this.looked += 1;
      const seen = await again(failure, attempt);
      if (seen === undefined) {
        this.vain.set(state, vain + 1);
        await this.tellChance(failure);
        continue;
      }
      const shrunk = await shrink(seen, attempt);
      // What needs no cause is told by the laws, and by the ledger.
      if (shrunk.tried.causes.length === 0) this.plain.add(state);
      else this.tellOnce(await this.asPlainly(shrunk));
    }
  }

  /** Whether a state of this asker fails without any circumstance. */
  failsPlainly(about: State['about']): boolean {
    return [...this.plain].some((state) => state.about === about);
  }

  private tellOnce(failure: Failure): void {
    if (!this.told.some((known) => isExplainedBy(failure, known))) this.tell(failure);
  }

  private tell(failure: Failure, byChance = false): void {
    this.told.push({ ...failure, row: failure.verdict.row ?? rowOf(failure.tried), ...(byChance ? { byChance } : {}) });
  }

  findings(): Finding[] {
    const { seed } = this.options;
    const failed = this.told.map(
      ({ row, verdict: { expected, actual }, chain, tried, byChance }): Finding => ({
        requirement: row,
        check: `${row}/combinations`,
        engine: 'laws',
        outcome: 'fail',
        expected,
        actual,
        message: `Expected: ${expected}. Got: ${actual}.${byChance === true ? ' It did not happen again when it was tried alone.' : ''}`,
        chain,
        seed,
        path: pathOf(tried),
        ...(byChance === true ? { doubt: 'other causes' as const } : {}),
        about: tried.state.about,
      }),
    );
    const rows = new Set(failed.map(({ requirement }) => requirement));
    const shown = [...rows].flatMap((row) => worst(failed.filter(({ requirement }) => requirement === row)));
    const passed = [...this.held].flatMap(([row, count]): Finding[] =>
      rows.has(row)
        ? []
        : [{ requirement: row, check: `${row}/combinations`, engine: 'laws', outcome: 'pass', restsOn: `${count} combinations` }],
    );
    const untested = [...this.reasons].flatMap(([row, { message, through }]): Finding[] =>
      rows.has(row) || this.held.has(row)
        ? []
        : [{ requirement: row, check: `${row}/combinations`, engine: 'laws', outcome: 'untested', message, through }],
    );
    return [...shown, ...passed, ...untested];
  }

  /** A grant to a stranger counts even once, and so does the refusal of a token that opens when it is used plainly. */
  private async tellChance(failure: Failure): Promise<void> {
    const { about } = failure.tried.state;
    // Lifetime and displacement of nonces are open; plain logins are counted by the ledger.
    if (about === 'login') return;
    // A sequence of tokens makes of one that is almost another one that is.
    if (about === 'unknown-token' && sentTokens(failure, this.subject).some((token) => this.subject.ledger.hasIssued(token))) return;
    if (about === 'valid-token') {
      const token = await this.subject.sharedToken().catch(() => undefined);
      const plain = token === undefined ? undefined : await new Trial(this.subject).use(token.value).catch(() => undefined);
      if (plain?.answer === undefined || plain.answer.status > 299) return;
    }
    this.tell(failure, true);
  }

  /** What happens in a plainer state too is told of that. */
  private async asPlainly(failure: Failure): Promise<Failure> {
    const { state, causes } = failure.tried;
    if (isServed(failure)) {
      const stranger = states.find(({ about }) => about === 'stranger') as State;
      const served = await this.attempt({ state: stranger, causes }, (trial) => trial.login());
      if (served !== undefined && isServed(served)) return served;
    }
    const plainer = states.find(({ id }) => id === state.plainer);
    if (plainer === undefined) return failure;
    return (await this.attempt({ state: plainer, causes }, (trial) => trial.login())) ?? failure;
  }

  private isOfOtherAge({ state }: Case, token: Token, exchange: Exchange): boolean {
    const { ledger, protocol, toleranceMs } = this.subject;
    const { leastMs, mostMs } = ledger.ageOf(token.value, exchange);
    if (state.about === 'valid-token') return mostMs > protocol.token.lifetimeMs - toleranceMs;
    return state.about === 'expired-token' && leastMs < protocol.token.lifetimeMs + toleranceMs;
  }
}

/** So many show what there is to show; the others are listed. */
const mostKinds = 5;

/** The failures of one row that are told, the worst first: a token given wrongly, then a resource, then the others. */
function worst(failed: readonly Finding[]): Finding[] {
  const severity = ({ actual = '', doubt }: Finding) =>
    (doubt === undefined ? 3 : 0) + (/with a token/.test(actual) ? 2 : /^2/.test(actual) ? 1 : 0);
  const [first, ...others] = [...failed].sort((one, other) => severity(other) - severity(one));
  // What another row may explain is listed by itself.
  if (first === undefined || first.doubt !== undefined || failed.length <= mostKinds) return [...failed];
  const explains = others.slice(mostKinds - 1).map(({ expected, actual }) => ({ what: `${expected}: ${actual}`, count: 1 }));
  return [{ ...first, explains }, ...others.slice(0, mostKinds - 1)];
}

async function shared(trial: Trial): Promise<Token> {
  const token = await trial.subject.sharedToken();
  trial.chain.push(...token.chain);
  return { value: token.value, user: trial.user };
}

function sentTokens({ chain }: Failure, { protocol }: Subject): string[] {
  const last = chain.at(-1);
  const lines = last === undefined || isClockMove(last) ? [] : last.request.headers;
  return lines.filter(([name]) => name.toLowerCase() === protocol.headers.token.toLowerCase()).map(([, value]) => value);
}
