import { passed, untested } from './opinions.js';
import type { Judge, Scenario, Seen } from './scenario.js';

const method = 'POST';
const body = JSON.stringify({ name: 'Bücher & «Blätter»', note: 'x'.repeat(3000) });
const post = { at: 'first', method, body, headers: { 'Content-Type': 'application/json' } } as const;

/** What was sent after the request had been challenged, with a token that was not refused. */
function repeated({ acts }: Seen): { challenged: boolean; granted: Seen['acts'] } {
  const first = acts.findIndex(({ became, logged }) => became === 'challenge' && logged.received.method === method);
  const later = first < 0 ? [] : acts.slice(first + 1);
  return { challenged: first >= 0, granted: later.filter(({ givenToken, became }) => givenToken !== undefined && became !== 'challenge') };
}

const methodIsRepeated: Judge = (seen) => {
  const { challenged, granted } = repeated(seen);
  if (!challenged) return untested(`No ${method} of the client was challenged.`);
  const [first] = granted;
  if (granted.some(({ logged }) => logged.received.method === method)) return passed(`a ${method} that was challenged`);
  const expected = `the ${method} that was challenged is repeated with the token`;
  if (first === undefined) return { outcome: 'fail', expected, actual: 'it was not repeated', mayFollow: true };
  return { outcome: 'fail', expected, actual: `it was repeated as ${first.logged.received.method}`, at: first.logged };
};

const bodyIsRepeated: Judge = (seen) => {
  const again = repeated(seen).granted.find(({ logged }) => logged.received.method === method)?.logged;
  if (again === undefined) return untested(`The client did not repeat a ${method}.`);
  if (again.received.body.equals(Buffer.from(body))) return passed(`a body of ${Buffer.byteLength(body)} octets`);
  const came = again.received.body.length;
  return {
    outcome: 'fail',
    expected: `the same ${Buffer.byteLength(body)} octets`,
    actual: came === 0 ? 'no body' : `${came} octets, other ones`,
    at: again,
  };
};

const judges = { 'client.method-repeated': methodIsRepeated, 'client.body-repeated': bodyIsRepeated };

/** Requests that must be kept whole until they are served. */
export const bodyScenarios: readonly Scenario[] = [
  {
    id: 'post',
    given: 'A POST is challenged.',
    service: { variants: ['post-creates'] },
    steps: [post],
    judges,
  },
  {
    id: 'post-after-expiry',
    given: 'The token expires before a POST.',
    service: { variants: ['post-creates'], expireAfterServed: [1] },
    steps: [{ at: 'first' }, post],
    buildsOn: ['client.renews-token'],
    judges,
  },
];
