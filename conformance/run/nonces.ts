import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import { type Nonce, type Subject, Trial } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';

/** Checks beside each other take about as many nonces before they use one of them. */
const beside = 23;

const discards = 'The server discards a nonce when another one is issued or used, so the checks ran one after another.';
export const crowds =
  'Logins were refused while many requests came close together, so the checks ran one after another. If something limits requests, stay below that with --rate.';

/**
 * How long a nonce lives is open, so it may end when others are issued or used. Checks beside each other would then take
 * each other's nonces away: such a target is judged one check after another. Why, as a sentence; undefined where they open.
 */
export async function noncesExcludeEachOther(subject: Subject): Promise<string | undefined> {
  const [user] = subject.ableUsers;
  if (user === undefined) return undefined;
  const opens = async (nonce: Nonce | undefined) => {
    if (nonce === undefined) return false;
    const trial = new Trial(subject);
    const exchange = await trial.present(nonce.value, basic(subject.protocol.challenge.scheme, user.id, user.paraphrase));
    return exchange.answer !== undefined && tokenOf(exchange.answer, subject.protocol) !== undefined;
  };
  const challenge = () => new Trial(subject).challenge();
  const first = await challenge();
  const trials = Array.from({ length: beside }, () => new Trial(subject));
  const others = await Promise.allSettled(trials.map((trial) => trial.challenge()));
  const last = others.findLast((each) => each.status === 'fulfilled')?.value;
  const refused = (await opens(first)) ? ((await opens(last)) ? undefined : (last ?? first)) : first;
  if (refused === undefined) {
    // All but the last, which was presented.
    for (const trial of trials.filter((_, at) => others[at]?.status === 'fulfilled').slice(0, -1))
      trial.spareNonceOf(trial.chain[0] as Exchange);
    return undefined;
  }
  // A nonce is the reason only where every one was given, a new one opens at once, and that one still does not.
  const isAble = others.every(({ status }) => status === 'fulfilled') && (await opens(await challenge().catch(() => undefined)));
  return isAble && !(await opens(refused)) ? discards : crowds;
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
