import { type Token, Trial, Untested } from '../subject/index.js';
import type { ClockMove } from '../wire/index.js';
import type { Case, Cause } from './case.js';
import type { Combinations } from './combinations.js';
import type { Failure } from './failures.js';
import { sendCase } from './send.js';
import { verdictOf } from './verdict.js';

/** What the cases just before the end may take, so that their tokens are surely young. */
const hasteMs = 6000;

/**
 * Cases about tokens that have an age, on one time line: everything is logged in at the beginning, used at half its time and just before
 * its end, and tried once more when it is over. A token that then lives on was prolonged by one of its uses.
 */
export async function overTime(combinations: Combinations): Promise<void> {
  const { subject, cases } = combinations;
  const at = (moment: string) => cases.filter(({ state }) => state.moment === moment);
  const [middle, end, expired] = [at('middle'), at('end'), at('expired')];
  if (!subject.clock.canMove || subject.facts.noUse !== undefined || middle.length + end.length + expired.length === 0) return;
  const { lifetimeMs } = subject.protocol.token;
  const tokens = await logInMany(combinations, Math.max(2, middle.length, Math.min(expired.length, 24)));
  if (tokens.length < 2) return;
  const line = new TimeLine(combinations, tokens);

  await line.advance(Math.round(lifetimeMs / 2));
  await line.tryWith(middle);
  await line.advance(Math.max(0, lifetimeMs - subject.toleranceMs - hasteMs - Math.round(lifetimeMs / 2)));
  await line.tryWith(end);
  await line.advance(2 * subject.toleranceMs + hasteMs);
  await line.tryWith(expired);
  if (subject.clock.isInstant) await findProlonging(combinations, middle);
}

class TimeLine {
  private movedMs = 0;

  constructor(
    private readonly combinations: Combinations,
    private readonly tokens: readonly Token[],
  ) {}

  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    await new Trial(this.combinations.subject).advance(ms);
    this.movedMs += ms;
  }

  async tryWith(cases: readonly Case[]): Promise<void> {
    const { combinations, tokens } = this;
    const moved: ClockMove[] = [{ advancedMs: this.movedMs }];
    const numbers = new Map(cases.map((each, index) => [each, index]));
    const raw: { failure: Failure; token: Token }[] = [];
    await Promise.all(
      cases.map(async (tried) => {
        const token = tokens[(numbers.get(tried) ?? 0) % tokens.length] as Token;
        const failure = await combinations.attempt(tried, aged(token), moved);
        if (failure !== undefined) raw.push({ failure, token });
      }),
    );
    for (const { failure, token } of raw)
      await combinations.lookInto([failure], (tried) => combinations.attempt(tried, aged(token), moved));
  }
}

const aged =
  (token: Token) =>
  async (trial: Trial): Promise<Token> => {
    trial.chain.push(...trial.subject.ledger.chainTo(token.value));
    return token;
  };

async function logInMany({ subject }: Combinations, count: number): Promise<Token[]> {
  const { ableUsers, facts } = subject;
  const one = async (index: number) => {
    const user = ableUsers[index % ableUsers.length];
    return user === undefined ? undefined : new Trial(subject).login(user).catch(ifTested);
  };
  const numbers = Array.from({ length: count }, (_, index) => index);
  const tokens: (Token | undefined)[] = [];
  if (facts.oneAtATime !== undefined) for (const index of numbers) tokens.push(await one(index));
  else tokens.push(...(await Promise.all(numbers.map(one))));
  return tokens.flatMap((token) => token ?? []);
}

function ifTested(error: unknown): undefined {
  if (!(error instanceof Untested)) throw error;
}

/**
 * Whether a use in some circumstance prolongs a token: one token for each cause, used with it at half its time, and one that is used
 * plainly. Where the plain one lives on too, the laws tell it.
 */
async function findProlonging(combinations: Combinations, middle: readonly Case[]): Promise<void> {
  const { subject } = combinations;
  const { lifetimeMs } = subject.protocol.token;
  const state = middle[0]?.state;
  if (state === undefined || !combinations.options.wanted(['expiry.not-sliding'])) return;
  const causes = new Map<string, readonly Cause[]>([['', []]]);
  for (const each of middle.flatMap((tried) => tried.causes)) causes.set(`${each.dimension.name}=${each.circumstance.id}`, [each]);
  const uses = [...causes.values()];
  const tokens = await logInMany(combinations, uses.length);
  if (tokens.length < uses.length) return;
  const clock = new Trial(subject);
  await clock.advance(Math.round(lifetimeMs / 2));
  const trials = await Promise.all(
    uses.map(async (used, index) => {
      const trial = new Trial(subject);
      await sendCase({ state, causes: used }, trial, async () => aged(tokens[index] as Token)(trial)).catch(ifTested);
      return trial;
    }),
  );
  const rest = lifetimeMs - Math.round(lifetimeMs / 2) + 2 * subject.toleranceMs;
  await clock.advance(rest);
  const lives = await Promise.all(
    trials.map(async (trial, index) => {
      trial.chain.push({ advancedMs: rest });
      const exchange = await trial.use(tokens[index] as Token).catch(ifTested);
      if (exchange === undefined) return undefined;
      const tried: Case = {
        state: { ...state, must: 'refused', about: 'expired-token', words: 'A token that was used at half its time' },
        causes: [],
      };
      const verdict = verdictOf(tried, exchange, trial);
      return verdict.kind === 'fails' ? { tried: { state, causes: uses[index] ?? [] }, verdict, chain: trial.chain.slice() } : undefined;
    }),
  );
  if (lives[0] !== undefined) return;
  for (const failure of lives) if (failure !== undefined) combinations.told.push({ ...prolonged(failure), row: 'expiry.not-sliding' });
}

function prolonged(failure: Failure): Failure {
  const { circumstance } = failure.tried.causes[0] as Cause;
  const expected = `A token is refused after its end, also when it was used before and then ${circumstance.words}`;
  return { ...failure, verdict: { ...failure.verdict, expected } };
}
