import type { Draft, Scene } from '../circumstances/index.js';
import { isOfGateway } from '../expect/index.js';
import { lastOf, triesAlone } from '../finding.js';
import { isGranted, type Verdict } from '../oracle/index.js';
import { type Subject, Trial } from '../subject/index.js';
import { type Chain, headerValues } from '../wire/index.js';
import { type Case, type Cause, draftOf } from './case.js';

type Failing = Extract<Verdict, { kind: 'fails' }>;

/** A case that failed, with what was seen. */
export interface Failure {
  readonly tried: Case;
  readonly verdict: Failing;
  readonly chain: Chain;
  /** What it brings worked plainly just before. */
  readonly isControlled?: boolean;
}

/** Tries a case; undefined when it holds or says nothing. */
export type Try = (tried: Case) => Promise<Failure | undefined>;

const triesToBelieve = 2;

/** The case with only those causes that matter: each of the others can be taken away, and it still fails in the same way. */
export async function shrink(failure: Failure, attempt: Try): Promise<Failure> {
  let smallest = failure;
  const without = async (left: readonly Cause[]): Promise<boolean> => {
    const again = await attempt({ state: failure.tried.state, causes: left });
    if (again === undefined || again.verdict.row !== failure.verdict.row) return false;
    smallest = again;
    return true;
  };
  // First whole halves: most causes do not matter.
  for (let size = Math.ceil(smallest.tried.causes.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.tried.causes.length; ) {
      const { causes } = smallest.tried;
      const left = [...causes.slice(0, from), ...causes.slice(from + size)];
      if (!(await without(left))) from += size;
    }
  }
  return smallest;
}

/** Tries a case again with nothing beside it; undefined when it does not fail again. */
export async function again(failure: Failure, attempt: Try): Promise<Failure | undefined> {
  let seen: Failure | undefined;
  for (let tries = 0; seen === undefined && tries < triesAlone; tries += 1) seen = await attempt(failure.tried);
  return seen;
}

/** Whether a case fails every time, so that its causes can be believed. */
export async function isSteady(failure: Failure, attempt: Try): Promise<boolean> {
  for (let tries = 0; tries < triesToBelieve; tries += 1) if ((await attempt(failure.tried)) === undefined) return false;
  return true;
}

/** Something was served to somebody who must be refused, and no token given. */
export const isServed = ({ verdict: { given } }: Failure): boolean => given === 'resource';

/**
 * Whether `cause` explains a failure: it has the same state or one that brings less, and all of its causes are there, by themselves or
 * within others (what has a body may be a POST). What strangers are served explains what others are served.
 */
export function isExplainedBy(failure: Failure, cause: Failure, scene: Scene): boolean {
  const { tried } = failure;
  const { state, causes } = cause.tried;
  const isSameOrLess =
    tried.state === state ||
    tried.state.plainer?.includes(state.id) === true ||
    (state.about === 'stranger' && isServed(cause) && isServed(failure));
  const [draft, plain] = [draftOf(tried, scene), draftOf({ ...tried, causes: [] }, scene)];
  const isThere = ({ dimension, circumstance }: Cause) =>
    tried.causes.some((each) => each.dimension.name === dimension.name && each.circumstance.id === circumstance.id) ||
    holds(draft, circumstance.change(plain, scene), plain);
  return isSameOrLess && causes.every(isThere);
}

/** Whether a draft has all that another one has and a plain one has not. */
function holds(draft: Draft, changed: Draft, plain: Draft): boolean {
  const fields = (Object.keys(changed) as (keyof Draft)[]).filter(
    (field) => JSON.stringify(changed[field]) !== JSON.stringify(plain[field]),
  );
  const has = (field: keyof Draft) =>
    field === 'headers'
      ? changed.headers.every(([name, value]) => draft.headers.some((line) => line[0] === name && line[1] === value))
      : draft[field] === changed[field];
  return fields.length > 0 && fields.every(has);
}

/**
 * Whether a failure that did not happen again counts all the same. A grant to somebody who must be refused does. So does the refusal of a
 * valid token where tokens are honoured in a plain request.
 */
export async function countsOnce(failure: Failure, subject: Subject): Promise<boolean> {
  const { about } = failure.tried.state;
  // A connection that broke once may be anybody's fault.
  const last = lastOf(failure.chain);
  if (last !== undefined && (last.answer === undefined || isOfGateway(last.answer))) return false;
  // The source leaves open how long a nonce lives and what displaces it. Plain logins are counted by the oracle.
  if (about === 'login') return false;
  // Where tokens are numbered, a token with one character changed may be another token that was issued.
  if (about === 'unknown-token') return !sentTokens(failure, subject).some((token) => subject.oracle.tokens.has(token));
  if (about !== 'valid-token') return true;
  const shared = await subject.sharedToken().catch(() => undefined);
  return shared !== undefined && opensPlainly(shared.value, subject).catch(() => false);
}

/** Whether a token opens the first collection to a plain request, now. */
export async function opensPlainly(token: string, subject: Subject): Promise<boolean> {
  return isGranted(await new Trial(subject).use(token), subject.protocol);
}

/** The tokens that its request carried. */
export function sentTokens(failure: Failure, { protocol }: Subject): readonly string[] {
  const last = lastOf(failure.chain);
  return last === undefined ? [] : headerValues(last.request, protocol.headers.token);
}
