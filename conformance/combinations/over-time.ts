import { inWords, isGranted } from '../oracle/index.js';
import { states } from '../states/index.js';
import { ifUntested, type Sending, type Token, Trial } from '../subject/index.js';
import type { Case } from './case.js';
import type { Combinations } from './combinations.js';
import type { Failure } from './failures.js';
import { sendCase } from './send.js';

/** What the cases just before the end may take, so that their tokens are surely young: no more than a part of a short life. */
const hasteOf = (lifetimeMs: number) => Math.min(6000, Math.round(lifetimeMs / 50));
/** A token that is used beside other credentials. */
const besideCredentials: readonly Case[] = states
  .filter(({ about, ownRow }) => about === 'valid-token' && ownRow === true)
  .map((state) => ({ state, causes: [] }));
/** Plainly, or by another method. */
const anyWay: readonly (Sending | undefined)[] = [undefined, { method: 'POST' }, { method: 'HEAD' }, undefined];
/** Each is used in several circumstances; what one of them does is then told apart. */
const mostTokens = 10;

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
  const hasteMs = hasteOf(lifetimeMs);
  const tokens = await logInMany(combinations, Math.max(2, Math.min(middle.length, mostTokens)), subject.ableUsers, anyWay);
  if (tokens.length < 2) return;
  const line = new TimeLine(combinations, tokens);

  await line.advance(Math.round(lifetimeMs / 2));
  await line.tryWith(middle);
  await line.tryWith(besideCredentials);
  await line.useTheOthers();
  await line.advance(Math.max(0, lifetimeMs - subject.toleranceMs - hasteMs - Math.round(lifetimeMs / 2)));
  await line.tryWith(end);
  await line.advance(2 * subject.toleranceMs + hasteMs);
  // Beside valid ones: an expired token must not profit from their answers.
  const fresh = await new Trial(subject).login().catch(ifUntested);
  await Promise.all([
    line.tryWith(expired),
    ...(fresh === undefined ? [] : expired.slice(0, mostTokens / 2).map(() => new Trial(subject).use(fresh).catch(ifUntested))),
  ]);
  // One that lives on, whatever the circumstance, may owe it to a use before its end.
  if (subject.clock.isInstant && combinations.failsPlainly('expired-token')) await findProlonging(combinations, middle);
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

  /** Each must be seen to open something while it is young, before its refusal says anything. */
  async useTheOthers(): Promise<void> {
    const { subject } = this.combinations;
    const unused = this.tokens.filter(({ value }) => subject.oracle.tokens.usesOf(value) === 0);
    await Promise.all(unused.map((token) => new Trial(subject).use(token).catch(ifUntested)));
  }

  async tryWith(cases: readonly Case[]): Promise<void> {
    const { combinations, tokens } = this;
    const numbers = new Map(cases.map((each, index) => [each, index]));
    const raw: { failure: Failure; token: Token }[] = [];
    await Promise.all(
      cases.map(async (tried) => {
        const token = tokens[(numbers.get(tried) ?? 0) % tokens.length] as Token;
        const failure = await combinations.attempt(tried, aged(token, this.movedMs));
        if (failure !== undefined) raw.push({ failure, token });
      }),
    );
    for (const { failure, token } of raw)
      await combinations.lookInto([failure], (tried) => combinations.attempt(tried, aged(token, this.movedMs)));
  }
}

const aged =
  (token: Token, movedMs: number) =>
  async (trial: Trial): Promise<Token> => {
    trial.chain.push(...trial.subject.oracle.chainTo(token.value), { advancedMs: movedMs });
    return token;
  };

async function logInMany(
  { subject }: Combinations,
  count: number,
  users = subject.ableUsers,
  ways: readonly (Sending | undefined)[] = [],
): Promise<Token[]> {
  const { facts } = subject;
  const one = async (index: number) => {
    const user = users[index % users.length];
    if (user === undefined) return undefined;
    // How a token was asked for must not matter to its life.
    const sending = ways[index % Math.max(1, ways.length)];
    const token = sending === undefined ? undefined : await new Trial(subject).login(user, sending).catch(ifUntested);
    return token ?? new Trial(subject).login(user).catch(ifUntested);
  };
  const numbers = Array.from({ length: count }, (_, index) => index);
  const tokens: (Token | undefined)[] = [];
  if (facts.oneAtATime !== undefined) for (const index of numbers) tokens.push(await one(index));
  else tokens.push(...(await Promise.all(numbers.map(one))));
  return tokens.flatMap((token) => token ?? []);
}

/**
 * Whether a use in some circumstance prolongs a token: one token for each cause, used with it at half its time, and one that is used
 * plainly. Where the plain one lives on too, the laws tell it.
 */
async function findProlonging(combinations: Combinations, middle: readonly Case[]): Promise<void> {
  const { subject } = combinations;
  const { lifetimeMs } = subject.protocol.token;
  const [plain] = middle;
  if (plain === undefined || !combinations.options.wanted(['expiry.not-sliding'])) return;
  const uses: readonly Case[] = [{ ...plain, causes: [] }, ...besideCredentials, ...eachCause(middle)];
  const tokens = await logInMany(combinations, uses.length, subject.ableUsers.slice(0, 1));
  if (tokens.length < uses.length) return;
  const clock = new Trial(subject);
  const half = Math.round(lifetimeMs / 2);
  await clock.advance(half);
  const trials = await Promise.all(
    uses.map(async (used, index) => {
      const trial = new Trial(subject);
      await sendCase(used, trial, () => aged(tokens[index] as Token, half)(trial)).catch(ifUntested);
      return trial;
    }),
  );
  const rest = lifetimeMs - half + 2 * subject.toleranceMs;
  await clock.advance(rest);
  const lives = await Promise.all(
    trials.map(async (trial, index) => {
      trial.chain.push({ advancedMs: rest });
      const exchange = await trial.use(tokens[index] as Token).catch(ifUntested);
      return exchange !== undefined && isGranted(exchange, subject.protocol) ? inWords(exchange, subject.protocol) : undefined;
    }),
  );
  if (lives[0] !== undefined) return;
  uses.forEach((used, index) => {
    const actual = lives[index];
    if (actual === undefined) return;
    const expected = `A token is refused after it expired, also when before that ${used.causes[0]?.circumstance.words ?? 'it was used beside other credentials'}`;
    combinations.told.push({
      tried: used,
      verdict: { kind: 'fails', expected, actual, given: 'resource' },
      chain: trials[index]?.chain.slice() ?? [],
      row: 'expiry.not-sliding',
    });
  });
}

function eachCause(cases: readonly Case[]): Case[] {
  const causes = new Map<string, Case>();
  for (const { state, causes: all } of cases)
    for (const cause of all) causes.set(`${cause.dimension.name}=${cause.circumstance.id}`, { state, causes: [cause] });
  return [...causes.values()];
}
