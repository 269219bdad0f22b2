import { count, spec } from '../../../spec/index.js';
import { headerValues } from '../../wire/index.js';
import { asStranger, servedIn, withToken } from '../stage/index.js';
import type { Received } from '../traffic/index.js';
import { passed, understands, untested } from './opinions.js';
import type { Judge, Scenario, Seen } from './scenario.js';

const read = { at: 'first' } as const;
const tokenName = spec.protocol.headers.token;

const sameTokenEverywhere: Judge = ({ acts, site }) => {
  const { pathname } = new URL(site.places.first);
  const others = acts.filter(({ logged, live }) => logged.received.target !== pathname && live !== undefined);
  const reused = acts.filter(
    ({ became, logged, token }) => became === 'served' && logged.received.target === pathname && token !== undefined,
  );
  if (reused.length < 2 || reused[0]?.token !== reused[1]?.token) return untested('The client does not use a token twice at one address.');
  if (others.length === 0) return untested('The client did not come to the other addresses.');
  const without = others.find(({ token }) => token === undefined);
  if (without === undefined) return passed('a token used at three addresses');
  return {
    outcome: 'fail',
    expected: 'the token of the first address is used at the others, too',
    actual: 'the client asked another address without it',
    at: without.logged,
  };
};

const renews: Judge = (seen) => {
  const refused = seen.acts.filter(({ became, givenToken }) => became === 'challenge' && givenToken !== undefined);
  if (refused.length === 0) return untested('The client sent no token that had expired.');
  const opinion = understands(seen);
  if (opinion.outcome === 'pass') return passed(`${count(refused.length, 'token')} that had expired`);
  return opinion.outcome === 'fail' ? { ...opinion, expected: 'the client logs in again and reads every address' } : opinion;
};

/** Only of a client that keeps its token does it show. */
function ownClock({ acts }: Seen): string | undefined {
  const uses = acts.filter(({ became, token }) => became === 'served' && token !== undefined).map(({ token }) => token);
  if (new Set(uses).size === uses.length) return undefined;
  const first = acts.find(({ logged }) => logged.clockMs > 0);
  return first === undefined ? undefined : first.token === undefined ? 'yes' : 'no, it waits for the refusal';
}

/** What makes the newer token of an answer out of the token of the request. */
const mark = 'c0dec0de';
const sentToken = (received: Received) => headerValues(received, tokenName)[0] ?? '';
const withOther = (received: Received, token: string): Received => ({
  ...received,
  headers: [...asStranger(received).headers, [tokenName, token]],
});

/** How a token is kept, and renewed. */
export const tokenScenarios: readonly Scenario[] = [
  {
    id: 'three-reads',
    given: 'An address is to be read three times.',
    service: {},
    steps: [read, read, read],
    exercises: ['client.token-reused', 'client.token-alone'],
    judges: {},
  },
  {
    id: 'three-addresses',
    given: 'An address is to be read twice, then two others.',
    service: {},
    steps: [read, read, { at: 'second' }, { at: 'vocabulary' }],
    leavesOut: ['client.token-reused'],
    buildsOn: ['client.token-reused'],
    judges: { 'client.token-for-all-addresses': sameTokenEverywhere },
  },
  {
    id: 'expiry',
    given: 'The token expires after the first and after the third of five reads.',
    service: { expireAfterServed: [1, 3] },
    steps: [read, read, read, read, read],
    exercises: ['client.nonce-used-once', 'client.uses-new-token'],
    judges: { 'client.renews-token': renews },
    observes: { 'client.own-clock': ownClock },
  },
  {
    id: 'expiry-with-reusable-nonces',
    given: 'The token expires between the reads of two addresses, and the service would take a nonce twice.',
    service: { variants: ['nonce-reusable'], expireAfterServed: [1] },
    steps: [read, { at: 'second' }],
    exercises: ['client.nonce-used-once'],
    judges: { 'client.renews-token': renews },
  },
  {
    id: 'other-refusal',
    given: 'An expired token is answered with 403.',
    service: { variants: ['unknown-token-403'], expireAfterServed: [1], requestLimit: 24 },
    steps: [read, read],
    leavesOut: ['client.token-reused'],
    judges: {},
    observes: {
      'client.other-refusal'({ acts }) {
        const refusal = acts.findIndex(({ became, token }) => became === 'refusal' && token !== undefined);
        if (refusal < 0) return undefined;
        return acts.slice(refusal).some(({ became }) => became === 'exchange') ? 'yes' : 'no';
      },
    },
  },
  {
    id: 'newer-token',
    given: 'The answer to a read carries another token, which works as well.',
    service: {
      intercept: (received) =>
        sentToken(received).endsWith(mark) ? withOther(received, sentToken(received).slice(0, -mark.length)) : undefined,
      change: (answer, received) =>
        withToken(received) && servedIn(received, answer)
          ? { ...answer, headers: [...answer.headers, [tokenName, `${sentToken(received).replace(mark, '')}${mark}`]] }
          : answer,
    },
    steps: [read, read, read],
    judges: {},
    observes: {
      'client.newer-token'({ acts }) {
        const uses = acts.filter(({ token, became }) => token !== undefined && became === 'served');
        return uses.length < 2 ? undefined : uses.some(({ token }) => token?.endsWith(mark)) ? 'yes' : 'no';
      },
    },
  },
];
