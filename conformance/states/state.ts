import type { About } from '../ledger/index.js';
import type { Token, Trial } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';

/** When a state can be brought about: at any time, when tokens have reached an age, or late, because it gives wrong credentials. */
export type Moment = 'any' | 'middle' | 'end' | 'expired' | 'late';

/** What a request brings. */
export interface State {
  /** Stable; selects it for a replay. */
  readonly id: string;
  /** As the subject of a sentence: "A valid token is refused when …". */
  readonly words: string;
  readonly about: About;
  readonly must: 'granted' | 'refused' | 'challenged';
  readonly moment: Moment;
  /** The row that tells a failure where no circumstance has one of its own. */
  readonly requirement: string;
  /** It is tried without circumstances only. A state that brings more than this one is tried in all of them. */
  readonly isPlainOnly?: true;
  /** No law covers it, so that it is told here even where it fails without any circumstance. */
  readonly hasNoLaw?: true;
  /** The row that tells a failure which does not happen again. No circumstance can be its cause. */
  readonly byChance?: string;
  /** The id of a state that brings less. A failure that happens in that state, too, is told of that one. */
  readonly plainer?: string;
  /** `requirement` tells every failure, whatever the circumstance. */
  readonly ownRow?: true;
  /** The lines it adds; the trial takes whatever steps lead to it. `token` is one of the age that the moment asks for. */
  bring(trial: Trial, token: () => Promise<Token>): Promise<readonly HeaderLine[]>;
}
