import { understands } from './opinions.js';
import type { Ask, Scenario, Seen } from './scenario.js';

const atOnce: readonly Ask[] = [{ at: 'first' }, { at: 'second' }, { at: 'first' }, { at: 'second' }, { at: 'vocabulary' }];

function sharedLogin({ acts, completed }: Seen): string | undefined {
  const logins = acts.filter(({ became }) => became === 'exchange').length;
  if (!completed || logins === 0) return undefined;
  return logins === 1 ? 'yes' : 'no, several log in';
}

/** Several requests at once. */
export const concurrencyScenarios: readonly Scenario[] = [
  {
    id: 'at-once',
    given: 'Five requests are made at once.',
    service: {},
    steps: [{ parallel: atOnce }],
    leavesOut: ['client.token-reused', 'client.uses-new-token'],
    judges: { 'client.concurrent': understands },
    observes: { 'client.shared-login': sharedLogin },
  },
  {
    id: 'at-once-after-expiry',
    given: 'The token expires, then five requests are made at once.',
    service: { expireAfterServed: [1] },
    steps: [{ at: 'first' }, { parallel: atOnce }],
    buildsOn: ['client.renews-token'],
    leavesOut: ['client.token-reused', 'client.uses-new-token'],
    judges: { 'client.concurrent': understands },
  },
];
