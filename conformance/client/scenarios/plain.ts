import { passed, untested } from './opinions.js';
import type { Judge, Scenario } from './scenario.js';

const answersChallenge: Judge = ({ acts }) => {
  const challenged = acts.find(({ became }) => became === 'challenge');
  if (challenged === undefined) return untested('The client was not challenged.');
  if (acts.some((act) => act.nonce !== undefined || act.authorization !== undefined)) return passed('a challenge that was answered');
  return {
    outcome: 'fail',
    expected: 'the client answers the challenge with nonce and credentials',
    actual: 'it was challenged and did not log in',
    at: challenged.logged,
  };
};

const tellsSuccess: Judge = ({ completed, said, acts }) => {
  if (!completed) return untested('The client could not read the address.');
  if (said === 'success') return passed('an address that was read');
  const last = acts.at(-1)?.logged;
  return {
    outcome: 'fail',
    expected: 'the client says that it read the address',
    actual: 'it was answered with the resource, and said that it failed',
    ...(last === undefined ? {} : { at: last }),
  };
};

/** Comes first: a client that does not manage this is asked nothing else. */
export const plain: Scenario = {
  id: 'plain',
  given: 'One address is to be read.',
  service: {},
  steps: [{ at: 'first' }],
  exercises: [
    'client.nonce-as-received',
    'client.credentials',
    'client.token-sent',
    'client.token-as-received',
    'client.waits-for-challenge',
    'client.login-repeats-request',
    'client.url-secrets',
    'client.output-secrets',
  ],
  judges: { 'client.nonce-with-credentials': answersChallenge, 'client.tells-success': tellsSuccess },
};
