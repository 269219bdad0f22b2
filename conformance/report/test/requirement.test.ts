import { describe, expect, test } from 'vitest';
import { spec } from '../../../spec/index.js';
import { type Because, type Finding, untested as nothing, seeing } from '../../finding.js';
import { makeReport, type ReportRequirement } from '../index.js';
import { challenge, finding, input } from './samples.js';

const row = (id: string, findings: readonly Finding[], over: Parameters<typeof input>[0] = {}): ReportRequirement => {
  const report = makeReport(input({ findings, ...over }));
  return report.requirements.find((each) => each.id === id) as ReportRequirement;
};

describe('the outcome of a requirement', () => {
  const of = (id: string, ...outcomes: Finding['outcome'][]) =>
    outcomes.map((outcome) => finding(id, outcome, outcome === 'untested' ? { message: 'There is no clock.' } : {}));
  const known = { options: { ...input().options, baseline: [{ requirement: 'challenge.status', reason: 'Mended in May.' }] } };

  test.each([
    ['a MUST that failed is a failure', 'challenge.status', ['fail'], {}, { outcome: 'fail' }],
    ['a SHOULD that failed is a warning', 'headers.date-format', ['fail'], {}, { outcome: 'warn' }],
    ['one failing check outweighs passing ones', 'challenge.status', ['pass', 'fail', 'pass'], {}, { outcome: 'fail' }],
    [
      'an untested check outweighs passing ones',
      'challenge.status',
      ['untested', 'pass'],
      {},
      { outcome: 'untested', reason: 'There is no clock.' },
    ],
    ['untested says why, once', 'expiry.not-sliding', ['untested', 'untested'], {}, { outcome: 'untested', reason: 'There is no clock.' }],
    [
      'what no check spoke of is untested',
      'token.reusable',
      [],
      { engines: ['postman'] },
      { outcome: 'untested', reason: 'No check of the engines that ran covers it (postman).' },
    ],
    ['what a run did not come to, too', 'token.reusable', [], { interrupted: true }, { reason: 'The run ended before this was checked.' }],
    [
      'what nothing can check is untested by nature',
      'config.users',
      [],
      {},
      { outcome: 'untested', reason: spec.catalogue.requirement('config.users').unchecked, uncheckable: true },
    ],
    ['a failure of the baseline is known', 'challenge.status', ['fail'], known, { outcome: 'known-failure', reason: 'Mended in May.' }],
  ] as [string, string, Finding['outcome'][], Parameters<typeof input>[0], object][])('%s', (_, id, outcomes, over, expected) => {
    expect(row(id, of(id, ...outcomes), over)).toMatchObject(expected);
  });

  test('what the laws have tried whole passes, whatever the collection left out', () => {
    const left = finding('challenge.status', 'untested', { engine: 'postman', message: 'There is no clock.' });
    expect(row('challenge.status', [finding('challenge.status', 'pass'), left]).outcome).toBe('pass');
  });

  test('a reason points to no row that is untested itself', () => {
    const untested = (id: string, because: string | Because) => nothing({ requirement: id, check: 'c', engine: 'laws' }, because, 'target');
    const found = [
      untested('challenge.nonce', 'The run ended.'),
      untested('exchange.status', seeing('The challenge carries no nonce', ['challenge.nonce'])),
      untested('token.reusable', seeing('A token is refused', ['token.sufficient'], '403 Forbidden')),
    ];
    expect(row('exchange.status', found).reason).toBe('The challenge carries no nonce.');
    expect(row('token.reusable', found).reason).toBe('A token is refused (403 Forbidden).');
    const failed = [finding('challenge.nonce', 'fail'), ...found.slice(1)];
    expect(row('exchange.status', failed).reason).toBe('The challenge carries no nonce (see challenge.nonce).');
  });

  test('chain and curl belong to failures', () => {
    const { checks } = row('challenge.status', [finding('challenge.status', 'pass', { chain: [challenge] })]);
    expect(checks).toMatchObject([{ exchanges: [], curl: null }]);
  });
});
