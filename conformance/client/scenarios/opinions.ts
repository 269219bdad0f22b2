import { isLogin } from '../traffic/index.js';
import type { Judge, Opinion, Seen } from './scenario.js';

export const untested = (because: string): Opinion => ({ outcome: 'untested', because });
export const passed = (restsOn: string): Opinion => ({ outcome: 'pass', restsOn });

/** Everything is read, and the client says so. */
export const understands: Judge = (seen) => {
  const { completed, said } = seen;
  if (completed && said !== 'failure') return passed('every address was read');
  const expected = 'the client logs in, reads every address and says so';
  const last = seen.acts.at(-1)?.logged;
  return {
    outcome: 'fail',
    expected,
    actual: completed ? 'every address was answered with its resource, and the client said that it failed' : ending(seen),
    mayFollow: true,
    ...(last === undefined ? {} : { at: last }),
  };
};

/** What a client failed to say. */
export const tellsFailure: Judge = ({ acts, completed, overrun, said }) => {
  if (acts.length === 0 || completed) return untested('The client could read everything.');
  if (overrun) return untested('The client did not end by itself.');
  if (said === 'unknown') return untested('The client says that it failed also when it did not.');
  if (said === 'failure') return passed('a read that was refused or not found');
  const last = acts.at(-1)?.logged;
  return {
    outcome: 'fail',
    expected: 'the client says that it could not read everything',
    actual: `the last answer was ${last?.answer?.status ?? 'none'}, and the client said that all is well`,
    ...(last === undefined ? {} : { at: last }),
  };
};

/** Where a client that did not read everything came to its end. */
export function ending({ acts, overrun }: Pick<Seen, 'acts' | 'overrun'>): string {
  if (overrun) return `the client had sent ${acts.length} requests and went on`;
  const last = acts.at(-1);
  if (last === undefined) return 'the client sent nothing';
  const { method, target } = last.logged.received;
  const carrying = isLogin(last) ? 'nonce and credentials' : last.token !== undefined ? 'a token' : 'nothing of the protocol';
  const answer = last.logged.answer;
  return `the last that the client sent was ${method} ${target} with ${carrying}, and ${answer === undefined ? 'it was not answered' : `${answer.status} came`}`;
}
