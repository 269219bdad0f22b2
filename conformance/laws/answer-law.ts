import type { Judgement } from '../expect/index.js';
import type { Looked, Role } from '../subject/index.js';
import type { Answer, Chain, Exchange } from '../wire/index.js';

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
