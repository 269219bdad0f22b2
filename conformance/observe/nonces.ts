import { durationWords, madeUp } from '../../spec/index.js';
import { basic } from '../arbitraries/index.js';
import { tokenOf } from '../expect/index.js';
import type { User } from '../options.js';
import { inWords } from '../oracle/index.js';
import { type Trial, Untested } from '../subject/index.js';
import type { Exchange } from '../wire/index.js';
import { type Observer, observer, onItsAccount, refusalInWords } from './observer.js';

const granted = (trial: Trial, exchange: Exchange) =>
  exchange.answer !== undefined && tokenOf(exchange.answer, trial.protocol) !== undefined;
const second = 1000;
const minute = 60 * second;
/** Where nonces usually end; each length is tried on a nonce of its own. */
const lengthsMs = [
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  60 * minute,
  24 * 60 * minute,
];
const edgeMs = second;

export const nonceObservers: readonly Observer[] = [
  observer('challenge.nonce-single-use', async (trial) => {
    const nonce = await trial.challenge();
    trial.tokenFrom(await trial.exchange(nonce), trial.user);
    const again = await trial.exchange(nonce);
    return granted(trial, again)
      ? { answer: 'yes, it can be used again', evidence: 'a second exchange with one nonce gave a token' }
      : { answer: 'no, it is single-use', evidence: `a second exchange with one nonce got ${inWords(again, trial.protocol)}` };
  }),
  observer('challenge.nonce-letter-case', async (trial) => {
    const nonce = await trial.challenge();
    const other = nonce.value === nonce.value.toUpperCase() ? nonce.value.toLowerCase() : nonce.value.toUpperCase();
    if (other === nonce.value) throw new Untested('the nonce has no letters');
    const exchange = await trial.exchange({ value: other });
    return {
      answer: granted(trial, exchange) ? 'yes' : 'no',
      evidence: `the nonce in the other letter case got ${inWords(exchange, trial.protocol)}`,
    };
  }),
  observer('exchange.wrong-nonce-answer', async (trial) =>
    refusalInWords(
      trial,
      await trial.present(
        madeUp(trial.protocol.challenge.noncePattern),
        basic(trial.protocol.challenge.scheme, trial.user.id, trial.user.paraphrase),
      ),
    ),
  ),
  observer(
    'challenge.nonce-lifetime',
    async (trial) => {
      if (!trial.subject.clock.canMove || !trial.subject.clock.isInstant)
        throw new Untested('this needs a clock that can be moved (see --clock)');
      const opens = async (age: number) => {
        const nonce = await trial.challenge();
        await trial.advance(age);
        return granted(trial, await trial.exchange(nonce));
      };
      // Halving: the usual length before which all nonces open, and from which on none does.
      let [from, to] = [0, lengthsMs.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if (await opens((lengthsMs[middle] as number) + edgeMs)) from = middle + 1;
        else to = middle;
      }
      const length = lengthsMs[from];
      const longest = from === 0 ? 0 : (lengthsMs[from - 1] as number) + edgeMs;
      if (length === undefined)
        return { answer: `more than ${durationWords(longest)}`, evidence: `a nonce that was ${durationWords(longest)} old still worked` };
      const [justBefore, justAfter] = [length - edgeMs, length + edgeMs];
      const exact = await opens(justBefore);
      const [lived, dead] = exact ? [justBefore, justAfter] : [longest, justBefore];
      return {
        answer: exact ? durationWords(length) : `between ${durationWords(lived)} and ${durationWords(dead)}`,
        evidence:
          lived === 0
            ? `a nonce that was ${durationWords(dead)} old was refused`
            : `a nonce worked at the age of ${durationWords(lived)}, and not at ${durationWords(dead)}`,
      };
    },
    'clock',
  ),
  observer(
    'challenge.nonce-after-refusal',
    async (trial) => {
      const nonce = await trial.challenge();
      const authorization = basic(trial.protocol.challenge.scheme, trial.user.id, `${trial.user.paraphrase}x`);
      trial.subject.redactor.secret(authorization, 'wrong credentials');
      await trial.present(nonce.value, authorization);
      const exchange = await trial.exchange(nonce);
      return {
        answer: granted(trial, exchange) ? 'yes' : 'no',
        evidence: `after wrong credentials the same nonce with the right ones got ${inWords(exchange, trial.protocol)}`,
      };
    },
    'wrong-credentials',
  ),
  observer(
    'exchange.wrong-credentials-answer',
    async (trial) => {
      const authorization = basic(trial.protocol.challenge.scheme, trial.user.id, `${trial.user.paraphrase}x`);
      trial.subject.redactor.secret(authorization, 'wrong credentials');
      return refusalInWords(trial, await trial.present((await trial.challenge()).value, authorization));
    },
    'wrong-credentials',
  ),
  observer(
    'exchange.unicode-forms',
    async (trial) => {
      const otherForm = ({ paraphrase }: User) => paraphrase.normalize(paraphrase.normalize('NFC') === paraphrase ? 'NFD' : 'NFC');
      const user = trial.subject.ableUsers.find((each) => otherForm(each) !== each.paraphrase);
      if (user === undefined) throw new Untested('this needs a user whose paraphrase has an accented letter');
      const authorization = basic(trial.protocol.challenge.scheme, user.id, otherForm(user));
      trial.subject.redactor.secret(authorization, 'credentials in another form');
      const exchange = await trial.present((await trial.challenge()).value, authorization);
      const evidence = `the paraphrase of user ${user.id} in the other form got ${inWords(exchange, trial.protocol)}`;
      return { answer: granted(trial, exchange) ? 'yes' : 'no', evidence };
    },
    'wrong-credentials',
  ),
].map(onItsAccount);
