import { spec } from '../../../spec/index.js';
import type { Finding } from '../../finding.js';
import type { About, Contradiction, Oracle } from '../../oracle/index.js';
import { exchanged, protocol, read, refusal, resource } from '../../test/messages.js';
import { type Explaining, explainFindings } from '../explain.js';

export const { catalogue } = spec;
export const all = new Set(catalogue.requirements.map(({ id }) => id));

export const fail = (requirement: string, more: Partial<Finding> = {}): Finding => ({
  requirement,
  check: requirement,
  engine: 'laws',
  outcome: 'fail',
  expected: 'a',
  actual: 'b',
  message: 'Expected: a. Got: b.',
  ...more,
});
export const unsure = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'other causes', ...more });
export const beside = (requirement: string, more: Partial<Finding> = {}) => fail(requirement, { doubt: 'beside others', ...more });

export const contradiction = (requirement: string, about: About, must: 'granted' | 'refused' | 'challenged' = 'granted'): Contradiction => {
  const exchange = exchanged(read(), must === 'refused' ? resource : refusal);
  return { expectation: { requirement, about, must, what: `what ${about} asked` }, exchange, chain: [exchange] };
};

export function explain(
  found: readonly Finding[],
  seen: readonly Contradiction[] = [],
  more: Partial<Explaining> = {},
  of = 10,
  excuse?: 'displaced' | 'locked',
): Finding[] {
  const servesStrangers = (target: string) =>
    seen.some(({ expectation, exchange }) => expectation.about === 'stranger' && exchange.request.target === target);
  const excuses = () => () => excuse;
  const oracle = {
    contradictions: () => seen,
    excuses,
    rate: () => ({ of, contradicted: seen.length }),
    servesStrangers,
    isRefusedOtherwise: ({ expectation }: Contradiction) => expectation.must === 'challenged',
    bringsSharedToken: () => false,
    tokens: { issueOf: () => undefined },
    isMovedBetween: () => false,
    isFromElsewhere: () => false,
    givenTo: () => [],
    isOpenedByItsOwn: () => false,
  } as unknown as Oracle;
  return explainFindings(found, {
    catalogue,
    protocol,
    oracle,
    firstPlace: 'api/books',
    selected: all,
    sinceMs: 0,
    ...more,
  });
}
