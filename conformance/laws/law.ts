import fc from 'fast-check';
import type { Judgement } from '../expect/index.js';
import type { Looked, Role, Subject, Trial } from '../subject/index.js';
import type { Answer, Chain, Exchange } from '../wire/index.js';

/**
 * When a law runs: beside others; alone and moving the clock; late, because it gives wrong credentials to real accounts;
 * or last, because what it shows is better told by a law of its own.
 */
export type Phase = 'plain' | 'clock' | 'wrong-credentials' | 'history';

/** What a law says: for all given values, and for every example, the judgement throws nothing. */
interface LawText<T> {
  /** Tells several laws of one requirement apart. */
  readonly name?: string;
  readonly phase?: Phase;
  /** Of a law that moves the clock: with whom its cases share the moves. Other laws log in between, which matters to some. */
  readonly sharesClock?: 'with others' | 'among its cases';
  /** A failure may have causes that other laws tell apart. */
  readonly isDoubtful?: boolean;
  /** Tried only where so many random cases are asked for. */
  readonly leastRuns?: number;
  /** Tried when all others of its phase are done; at the end, when those are done, too. */
  readonly afterOthers?: boolean | 'at the end';
  /** Cases that are always tried, before the random ones. */
  examples?(subject: Subject): readonly T[];
  /** `replayPath` is the path through the steps of a history, which repeating it takes besides the path to the case. */
  given(subject: Subject, replayPath?: string): fc.Arbitrary<T>;
  /** How many random cases, of the runs asked for; a tenth by default. */
  randomCases?(runs: number, subject: Subject): number;
  /** The case in words, where what is expected does not say it: "user 2, header names in capitals". */
  words?(value: T, subject: Subject): string;
  judge(trial: Trial, value: T, subject: Subject): Promise<void>;
}

/** A property of the target, tied to one requirement of the catalogue. */
export interface Law<T = unknown> extends LawText<T> {
  /** The check's id: its requirement's, and a name where a requirement has several laws. */
  readonly id: string;
  readonly requirement: string;
  readonly phase: Phase;
}

export function law<T>(requirement: string, text: LawText<T>): Law<T> {
  const id = text.name === undefined ? requirement : `${requirement}/${text.name}`;
  return { ...text, id, requirement, phase: text.phase ?? 'plain' };
}

/** A law of chosen cases alone. There is always one, be it to say why nothing can be tried. */
export function chosen<T>(
  requirement: string,
  text: Omit<LawText<T>, 'given' | 'randomCases' | 'examples'> & { examples(subject: Subject): readonly T[] },
): Law<T> {
  return law(requirement, { ...text, given: (subject) => fc.constantFrom(...text.examples(subject)), randomCases: () => 0 });
}

/** A law of one case. */
export function single(requirement: string, text: Omit<LawText<undefined>, 'given' | 'randomCases' | 'examples'>): Law<undefined> {
  return chosen<undefined>(requirement, { ...text, examples: () => [undefined] });
}

/** What is judged of an answer: it, the exchange it belongs to, and the target. */
export interface View {
  readonly exchange: Exchange;
  readonly subject: Looked;
  readonly role: Role;
}

/** A judgement, with the exchanges that show it where they are not those that led to the answer. */
type Look = Judgement & { readonly chain?: Chain };

/** A law about every answer of some role, whoever asked for it. */
export interface AnswerLaw {
  readonly requirement: string;
  readonly roles: readonly Role[];
  /** Undefined when the answer has nothing to judge in this respect. */
  look(answer: Answer, view: View): Look | undefined | Promise<Look | undefined>;
}

export function answerLaw(requirement: string, roles: readonly Role[], look: AnswerLaw['look']): AnswerLaw {
  return { requirement, roles, look };
}
