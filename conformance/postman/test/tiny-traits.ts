/** Ways to be wrong, or unusual, by name; an unknown one throws. */
const named = {
  'Step A': 'served-to-all challenge-403 no-nonce plain-nonce same-nonce other-realm other-message html-challenge',
  headers: 'plain-json other-link no-allow-origin echo-origin chunked no-date odd-date',
  'Step B':
    'exchange-201 no-token base64-token same-token no-nonce-needed no-credentials-needed any-nonce any-paraphrase any-user exchange-message exchange-refused',
  'Step C': 'single-use-token token-for-collection-only no-vocabulary last-login-only prefix-token any-token token-ignored',
  expiry: 'half-lifetime never-expires sliding',
  protection: 'open-vocabulary open-404 open-delete open-after-login text-errors',
  'unusual and conformant':
    'relative-link many-links many-schemes with-parameters refuses-403 refuses-500 nonces-reusable nonce-everywhere empty-token-line locks-accounts',
  'not answering': 'hang-up switches endless dripping bomb garbage deep silent slow-down busy-after-login redirect',
};
const traits = new Set(Object.values(named).flatMap((names) => names.split(' ')));

export type Trait = string;

export function known(trait: Trait): Trait {
  if (!traits.has(trait)) throw new Error(`no tiny server is ${trait}`);
  return trait;
}
