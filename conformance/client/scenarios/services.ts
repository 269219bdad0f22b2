import { understands } from './opinions.js';
import type { Scenario } from './scenario.js';

/**
 * Every variant of the reference server that other scenarios do not name. Those of one group make one service together, because a client
 * is started once a scenario; when a group is not understood, each of it is tried alone.
 */
const groups: readonly (readonly string[])[] = [
  [
    ...['core-context', 'media-type-parameters', 'link-relative', 'other-reason-phrases', 'nonce-in-capitals', 'token-in-capitals'],
    ...['connection-close', 'no-base-path', 'one-collection', 'not-acceptable', 'preflight-protected', 'nonce-survives-refusal'],
    'head-not-found',
  ],
  [
    ...['own-context', 'media-type-in-other-case', 'link-among-others', 'nonce-of-any-version', 'token-in-mixed-case', 'session-cookies'],
    ...['keep-alive-announced', 'deep-base-path', 'many-collections', 'nonce-short-lived', 'methods-before-paths', 'preflight-204'],
    'octets-beyond-ascii-400',
  ],
  [
    ...['foreign-context', 'link-in-several-lines', 'token-long', 'validators-everywhere', 'nonce-on-every-answer', 'one-user'],
    ...['nonce-long-lived', 'slow', 'methods-not-implemented', 'conditional-reads-of-anything', 'expiry-inclusive'],
  ],
  [
    ...['paged', 'token-short', 'cached-in-private', 'nonces-limited', 'small-headers', 'lenient-router', 'account-locked'],
    ...['rate-limited', 'delete-leaves-nothing', 'reads-since-a-date', 'media-type-unsupported', 'expiry-in-whole-seconds'],
  ],
  [
    ...['graphs', 'token-of-changing-length', 'exchange-before-token', 'indented-json', 'nonce-reusable-for-ten-seconds', 'odd-users'],
    ...[
      'small-bodies',
      'changes-accepted',
      'preconditions',
      'length-required',
      'rate-limited-by-the-second',
      'account-locked-for-a-minute',
    ],
  ],
  [
    ...['expanded', 'escaped-json', 'letter-case-does-not-count', 'nonce-kept-after-refusals', 'options-with-allow', 'options-granted'],
    ...['members-absent', 'unmodified-since', 'expectation-failed', 'wrong-credentials-401-in-other-words', 'head-without-length'],
    ...['paraphrases-like-ids', 'unknown-token-refused-as-a-document', 'method-overridden-before-authentication'],
  ],
  [
    ...['empty-collections', 'compressed', 'nonce-ends-with-a-login', 'unknown-paths-gone', 'ranges', 'upgrade-required'],
    ...['wrong-credentials-400', 'expired-token-419', 'http-1-0-closes', 'anything-goes'],
  ],
  [
    ...['large-collections', 'conditional-reads', 'slash-redirected', 'paraphrases-prepared', 'head-not-allowed', 'handshake-not-whole'],
    ...['few-nonces', 'address-locked', 'account-locked-after-three'],
  ],
  ['off', 'off-with-credentials-ignored'],
];

const row = 'client.other-services';

const scenarioOf = (id: string, variants: readonly string[]): Scenario => ({
  id,
  given:
    variants.length === 1 ? `The service is the variant ${variants[0]}.` : `The service is at once the variants ${variants.join(', ')}.`,
  service: { variants, usualCollections: true },
  steps: [{ at: 'first' }, { at: 'second' }, { at: 'vocabulary' }],
  leavesOut: ['client.token-reused', 'client.token-sent'],
  judges: { [row]: understands },
});

export const serviceScenarios: readonly Scenario[] = groups.map((variants, index) => scenarioOf(`services-${index + 1}`, variants));

/** The same of each variant of a group alone; nothing of any other scenario. */
export function alone({ id, service: { variants = [] } }: Scenario): Scenario[] {
  return id.startsWith('services-') && variants.length > 1 ? variants.map((variant) => scenarioOf(`service-${variant}`, [variant])) : [];
}
