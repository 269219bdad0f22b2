import { inWords, isGranted } from '../oracle/index.js';
import { inParallel } from '../parallel.js';
import { states } from '../states/index.js';
import { ifUntested, type Sending, type Token, Trial } from '../subject/index.js';
import { type Case, draftOf, pathOf } from './case.js';
import type { Combinations } from './combinations.js';
import type { Failure, Try } from './failures.js';
import type { Told } from './findings.js';
import { sceneOf, sendCase } from './send.js';

/** What the cases just before the end may take, so that their tokens are surely young: no more than a part of a short life. */
const hasteOf = (lifetimeMs: number) => Math.min(6000, Math.round(lifetimeMs / 50));
/** A token that is used beside other credentials. */
const besideCredentials: readonly Case[] = states
  .filter(({ about, ownRow }) => about === 'valid-token' && ownRow === true)
  .map((state) => ({ state, causes: [] }));
/** Plainly, or by another method. */
const anyWay: readonly (Sending | undefined)[] = [undefined, { method: 'POST' }, { method: 'HEAD' }, undefined];
/** Each is used in several circumstances; what one of them does is then told apart. */
const mostTokens = 8;

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
  let movedMs = 0;
  const advance = async (ms: number) => {
    if (ms <= 0) return;
    await new Trial(subject).advance(ms);
    movedMs += ms;
  };
  const tryWith = async (some: readonly Case[]) => {
    const raw: { failure: Failure; attempt: Try }[] = [];
    await Promise.all(
      some.map(async (tried, index) => {
        const ofThisAge = aged(tokens[index % tokens.length] as Token, movedMs);
        const attempt: Try = (each) => combinations.attempt(each, ofThisAge);
        const failure = await attempt(tried);
        if (failure !== undefined) raw.push({ failure, attempt });
      }),
    );
    for (const { failure, attempt } of raw) await combinations.lookInto([failure], attempt);
  };

  await advance(Math.round(lifetimeMs / 2));
  await tryWith([...middle, ...besideCredentials]);
  // Each must be seen to open something while it is young, before its refusal says anything.
  const unused = tokens.filter(({ value }) => subject.oracle.tokens.usesOf(value) === 0);
  await Promise.all(unused.map((token) => new Trial(subject).use(token).catch(ifUntested)));
  await advance(lifetimeMs - subject.toleranceMs - hasteMs - Math.round(lifetimeMs / 2));
  const [fresh] = await Promise.all([new Trial(subject).login().catch(ifUntested), tryWith(end)]);
  await advance(2 * subject.toleranceMs + hasteMs);
  // Many services forget what is over at a login, some at every refusal: other addresses than collections come first, logins last.
  const scene = sceneOf(subject);
  const isAlone = (tried: Case) => tried.state.id === 'expired token' && draftOf(tried, scene).before === undefined;
  const isElsewhere = (tried: Case) => !scene.collections.some((name) => draftOf(tried, scene).path === `/${name}`);
  await tryWith(expired.filter((each) => isAlone(each) && isElsewhere(each)));
  // Beside valid ones: an expired token must not profit from their answers.
  await Promise.all([
    tryWith(expired.filter((each) => isAlone(each) && !isElsewhere(each))),
    ...(fresh === undefined ? [] : expired.slice(0, mostTokens / 2).map(() => new Trial(subject).use(fresh).catch(ifUntested))),
  ]);
  await tryWith(expired.filter((each) => !isAlone(each)));
  // One that lives on, whatever the circumstance, may owe it to a use before its end.
  if (subject.clock.isInstant && combinations.failsPlainly('expired-token')) await findProlonging(combinations, middle);
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
  ways: readonly (Sending | undefined)[] = [undefined],
): Promise<Token[]> {
  const login = async (index: number) => {
    const [user, sending] = [users[index % users.length], ways[index % ways.length]];
    if (user === undefined) return undefined;
    // How a token was asked for must not matter to its life.
    const token = sending === undefined ? undefined : await new Trial(subject).login(user, sending).catch(ifUntested);
    return token ?? new Trial(subject).login(user).catch(ifUntested);
  };
  const tokens = await inParallel([...Array(count).keys()], subject.facts.oneAtATime === undefined ? count : 1, login);
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
  // A token that came twice would show what another use of it did.
  if (new Set(tokens.map(({ value }) => value)).size < uses.length) return;
  const clock = new Trial(subject);
  const half = Math.round(lifetimeMs / 2);
  await clock.advance(half);
  const used = await Promise.all(
    uses.map(async (tried, index) => {
      const [trial, token] = [new Trial(subject), tokens[index] as Token];
      await sendCase(tried, trial, () => aged(token, half)(trial)).catch(ifUntested);
      return { tried, trial, token };
    }),
  );
  const rest = lifetimeMs - half + 2 * subject.toleranceMs;
  await clock.advance(rest);
  const [ofPlain, ...living] = await Promise.all(
    used.map(async ({ tried, trial, token }): Promise<Told[]> => {
      trial.chain.push({ advancedMs: rest });
      const exchange = await trial.use(token).catch(ifUntested);
      if (exchange === undefined || !isGranted(exchange, subject.protocol)) return [];
      const before = tried.causes[0]?.circumstance.words ?? 'it was used beside other credentials';
      const expected = `A token is refused after it expired, also when before that ${before}`;
      const actual = inWords(exchange, subject.protocol);
      const verdict = { kind: 'fails', expected, actual, given: 'resource' } as const;
      return [{ tried, verdict, chain: trial.chain.slice(), row: 'expiry.not-sliding' }];
    }),
  );
  if (ofPlain?.length === 0) combinations.told.push(...living.flat());
}

function eachCause(cases: readonly Case[]): Case[] {
  const alone = cases.flatMap(({ state, causes }) => causes.map((cause) => ({ state, causes: [cause] })));
  return [...new Map(alone.map((each) => [pathOf(each), each])).values()];
}
