import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { type Nonce, type Subject, Trial } from '../subject/index.js';

/** Checks beside each other take about as many nonces before they use one of them. */
const beside = 23;

/**
 * How long a nonce lives is open, so it may end when others are issued or used. Checks beside each other would then take
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
  const first = await new Trial(subject).challenge();
  const others = await Promise.allSettled(Array.from({ length: beside }, () => new Trial(subject).challenge()));
  const last = others.findLast((each) => each.status === 'fulfilled');
  return !(await opens(first)) || last === undefined || !(await opens(last.value));
}

/**
 * Takes nonces now and presents them when asked to. Where they open, no login in between was refused because there were too many
 * others. Two, because one of them may be lost for another reason.
 */
export async function keepNonces(subject: Subject): Promise<() => Promise<void>> {
  const kept = await Promise.allSettled([new Trial(subject).challenge(), new Trial(subject).challenge()]);
  return async () => {
    const nonces = kept.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    await Promise.allSettled(nonces.map(async (nonce) => new Trial(subject).exchange(nonce)));
  };
}
