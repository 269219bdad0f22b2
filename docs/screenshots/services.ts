/** A service to judge: the reference server with faults and variants, by their ids. */
export interface Service {
  readonly name: string;
  readonly faults: readonly string[];
  readonly variants?: readonly string[];
}

/** Three MUSTs and two SHOULDs are violated: the pictures of a report. */
export const reported: Service = {
  name: 'several',
  faults: ['realm-in-other-case', 'token-base64', 'sliding', 'date-iso', 'id-trimmed'],
};

/** Twelve services for the pictures of a comparison. */
export const compared: readonly Service[] = [
  { name: 'reference', faults: [] },
  reported,
  { name: 'json', faults: ['content-type-json-on-challenge', 'allow-origin-only-when-asked', 'fails-on-broken-base64'] },
  { name: 'head', faults: ['token-refused-with-head'] },
  { name: 'debug', faults: ['query-opens', 'options-serves'] },
  { name: 'constant', faults: ['nonce-constant'] },
  { name: 'once', faults: ['token-once'], variants: ['wrong-credentials-403'] },
  { name: 'paged', faults: [], variants: ['paged', 'nonce-reusable'] },
  { name: 'delete', faults: ['delete-open', 'date-missing'] },
  { name: 'hour', faults: ['expires-a-third-late'] },
  { name: 'capitals', faults: ['id-read-loosely'], variants: ['token-in-capitals'] },
  { name: 'forbidden', faults: ['challenge-403', 'body-of-html'] },
];
