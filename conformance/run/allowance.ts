import { count } from '../../spec/index.js';
import type { Budget } from '../options.js';

/** About so many requests of a whole run belong to laws, to the collection, and to one combination. */
const ofLaws = 1100;
const ofCollection = 60;
const ofCombination = 1.25;
/** What a request costs at least, and how much of the time of an answer it adds to a run, in which many are under way. */
const leastMs = 0.8;
const partOfAnswer = 0.2;

/** What a run may send, where its budget, or the number of violations after which it is to end, sets a limit. */
export class Allowance {
  /** Whether something was not sent because of it. */
  isSpent = false;
  hasBailed = false;
  /** The run is over but for what must be asked to blame nobody wrongly. */
  isConcluding = false;
  private readonly ended = new AbortController();
  /** Aborted when its time is over. */
  readonly signal: AbortSignal = this.ended.signal;
  private taken = 0;

  constructor(
    private readonly budget: Budget | undefined,
    private readonly bail: number | undefined,
    private readonly startedMs: number,
  ) {
    if (budget?.unit !== 'seconds') return;
    const leftMs = Math.max(0, Math.ceil(startedMs + 1000 * budget.amount - performance.now()));
    AbortSignal.timeout(leftMs).addEventListener('abort', () => this.end());
  }

  /** Whether everything is to be tried plainly before anything is tried deeply. */
  get isLimited(): boolean {
    return this.budget !== undefined || this.bail !== undefined;
  }

  private end(): void {
    this.isSpent = true;
    this.ended.abort();
  }

  /** To be told how many MUST requirements are violated so far. */
  violated(musts: number): void {
    this.hasBailed ||= musts >= (this.bail ?? Number.POSITIVE_INFINITY);
    this.isSpent ||= this.hasBailed;
  }

  private get words(): string {
    const { amount, unit } = this.budget as Budget;
    return `the budget of ${count(amount, unit.slice(0, -1))}`;
  }

  get spent(): string {
    if (this.hasBailed) return `the run ended after ${count(this.bail ?? 1, 'violated MUST requirement')} (--bail)`;
    return `${this.words} was spent`;
  }

  /** Why a row to which nobody came is untested, in words. */
  get leftOutWords(): string {
    return this.isSpent ? this.spent : `it was left out to stay within ${this.words}`;
  }

  /** Takes so many requests out of it; why they must not be sent, when it does not hold them any more. */
  take(requests: number): string | undefined {
    if (this.hasBailed && !this.isConcluding) return this.spent;
    if (this.budget === undefined) return undefined;
    const { amount, unit } = this.budget;
    const used = unit === 'requests' ? this.taken + requests : (performance.now() - this.startedMs) / 1000;
    if (used <= amount) {
      this.taken += requests;
      return undefined;
    }
    this.isSpent = true;
    return this.spent;
  }

  /**
   * What it leaves room for: laws come first, then the collection, then combinations in the order of their plan, random cases last. To be
   * asked after the preflight, which shows how long an answer takes.
   */
  room(wanted: number, answerMs: number) {
    if (this.budget === undefined) return { combinations: wanted, collection: true, randomCases: true };
    const { amount, unit } = this.budget;
    const requests = unit === 'requests' ? amount : (1000 * amount) / (leastMs + partOfAnswer * answerMs);
    const combinations = Math.max(0, Math.min(wanted, Math.floor((requests - ofLaws - ofCollection) / ofCombination)));
    const collection = requests >= ofLaws + ofCollection;
    // The collection does not ask.
    if (collection) this.taken += ofCollection;
    return { combinations, collection, randomCases: combinations === wanted };
  }

  /** What was left out for it, as a sentence. */
  leftOut(wanted: number, { combinations, collection, randomCases }: ReturnType<Allowance['room']>): string[] {
    if (randomCases) return [];
    const left = `${wanted - combinations} of ${wanted} combinations,${collection ? '' : ' the Postman collection,'} most random cases`;
    return [`To stay within ${this.words}, these were left out: ${left}.`];
  }
}
