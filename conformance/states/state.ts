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
  /** It is tried without any circumstance: a state that has more to it is tried in all. */
  readonly isPlainOnly?: true;
  /** No law tells it where it fails without any circumstance. */
  readonly hasNoLaw?: true;
  /** The row that tells a failure which does not happen again: no circumstance can be its cause. */
  readonly byChance?: string;
  /** A state that has less to it: what fails there too is told of it. */
  readonly plainer?: string;
  /** It is always that row, whatever the circumstance. */
  readonly ownRow?: true;
  /** The lines it adds; the trial takes whatever steps lead to it. `token` is one of the age that the moment asks for. */
  bring(trial: Trial, token: () => Promise<Token>): Promise<readonly HeaderLine[]>;
}
