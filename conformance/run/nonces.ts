import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { type Nonce, type Subject, Trial } from '../subject/index.js';

/**
 * How long a nonce lives is open, so it may end when another is issued or used. Checks beside each other would then take
 * each other's nonces away: such a target is judged one check after another.
 */
export async function noncesExcludeEachOther(subject: Subject): Promise<boolean> {
  const [user] = subject.ableUsers;
  if (user === undefined) return false;
  const opens = async (nonce: Nonce) => {
    const trial = new Trial(subject);
    const exchange = await trial.present(nonce.value, basic(subject.protocol.challenge.scheme, user.id, user.paraphrase));
    return exchange.answer !== undefined && tokenOf(exchange.answer, subject.protocol) !== undefined;
  };
  const trial = new Trial(subject);
  const first = await trial.challenge();
  const second = await trial.challenge();
  return !(await opens(first)) || !(await opens(second));
}
