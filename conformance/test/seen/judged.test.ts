import { expect, test } from 'vitest';
import type { Change } from '../../../fixtures/fixture.js';
import { logIn } from '../../../fixtures/test/visiting.js';
import { defaultUsers, manualClock, type ReferenceServerOptions } from '../../../reference-server/index.js';
import type { ConformanceOptions, Report } from '../../index.js';
import { checking, failedOf, failuresOf, judged, judging, serving, stackTrace, type Wrong, warnedOf } from './judging.js';
import * as services from './services.js';

interface Seen {
  readonly failed?: readonly string[];
  readonly warned?: readonly string[];
  readonly verdict?: Report['verdict'];
  /** What stands in the sentences of its failures. */
  readonly told?: string;
  readonly options?: Partial<ConformanceOptions>;
  readonly base?: ReferenceServerOptions;
}

const dayOf = (ms: number) => Math.floor(ms / 86_400_000);
const endsWithTheDay: Change = ({ tokens }) => ({
  tokens: { ...tokens, honours: (record, nowMs) => tokens.honours(record, nowMs) && dayOf(record.issuedAtMs) === dayOf(nowMs) },
});
const logins = ['exchange', 'token.sufficient', 'protection'];
const refusals = ['exchange.wrong-paraphrase-refused', 'exchange.unknown-user-refused'];
const odd = ['exchange.id-spelling', 'exchange.malformed-credentials-refused', 'exchange.no-server-error'];
const sessions = [
  'challenge.www-authenticate',
  'exchange.token-unique',
  'exchange.nonce-needed',
  'expiry.valid-until',
  'protection.vocabulary',
];
const maps = ['headers.link', 'exchange.status', 'exchange.unknown-user-refused', 'expiry.counted-from-issue', 'protection.methods'];

test.each<[string, readonly Wrong[], readonly string[], Seen?]>([
  // Both engines at once do not run into each other.
  ['a login that ends other nonces', ['nonce-ends-with-a-login'], ['exchange', 'token'], { options: { engine: 'all', seed: 1 } }],
  ['one token for all', ['one-token-at-all'], ['exchange', 'token'], { failed: ['token.independent'], options: { seed: 1 } }],
  // A service that conforms in its own way is conformant.
  ['304 to If-None-Match: * in Step B', [services.notModifiedLogin], logins],
  ['an account that locks silently after three wrong attempts', [services.locksSilently], logins],
  ['a filter before it that refuses an encoded zero octet', [services.zeroOctetFiltered], logins],
  ['a gateway before it that now and then answers 502', [services.gatewayLoses(60)], ['challenge', 'protection', 'token']],
  ['a gateway before it that answers 502 to every login beside another', [services.gatewayLosesLogins], logins, { verdict: 'error' }],
  [
    'a server that hangs up on everybody after many wrong credentials, not on wrong ones,',
    [services.hangsUpAtLast],
    ['exchange.no-server-error', 'exchange.unknown-user-refused'],
    { verdict: 'incomplete' },
  ],
  [
    '429 without Retry-After on a login now and then',
    [services.loginsLimited(60)],
    ['exchange.status', 'protection.history'],
    // The judge waits a second for each, within a budget of ten time-outs.
    { options: { timeoutMs: 1000, concurrency: 4 } },
  ],
  ['429 on a login now and then, whose nonce is used up', [services.loginsLimitedLate(7)], ['exchange.status', 'exchange.token']],
  ['users beside those that the judge was told of', ['neighbour-users'], ['exchange', 'protection.history']],
  [
    'a user who cannot log in, whose paraphrase is tried on another',
    ['latin-1'],
    refusals.slice(0, 1),
    { options: { users: defaultUsers.filter(({ id }) => id !== 2) } },
  ],
  // An address that stands before the guard is told once, as open, whatever the requests to it brought.
  ...(['vocabulary', 'collections', 'unknown-paths'] as const).map((what): [string, Wrong[], string[], Seen] => [
    `${what} before the guard`,
    [services.openToEverybody[what]],
    ['protection', 'exchange.nonce-needed', 'token'],
    { failed: [`protection.${what}`] },
  ]),
  [
    'tokens that end with the day they were issued on, where the judge begins in its morning',
    [endsWithTheDay],
    ['expiry', 'token'],
    { failed: ['expiry.valid-until'], told: 'issued before the end of the day', base: { clock: manualClock('2027-01-15T06:00:00Z') } },
  ],
  [
    'a valid token behind an empty line of the same name, in the answer to wrong credentials',
    [services.tokenBehindAnEmptyLine],
    refusals,
    { failed: refusals, told: 'with a token' },
  ],
  [
    'an id of nobody that gets a token with an empty paraphrase',
    [services.emptyParaphraseOfNobody],
    ['exchange'],
    { failed: ['exchange.unknown-user-refused'] },
  ],
  [
    'a token that the server knows only after a first use',
    [services.knownAfterItsFirstUse],
    ['token', 'expiry'],
    { failed: ['token.sufficient'] },
  ],
  ...[3, 8].map((seed): [string, Wrong[], string[], Seen] => [
    `an open DELETE that answers like a login (seed ${seed})`,
    [services.deletesLikeALogin],
    ['exchange', 'protection'],
    { failed: ['protection.methods'], options: { seed } },
  ]),
  // What is hidden behind another mistake.
  [
    'a lifetime that slides, beside tokens of sixteen bits',
    [services.tokensOfSixteenBits, 'sliding'],
    ['exchange.token-unguessable', 'expiry.not-sliding'],
    { failed: ['expiry.not-sliding'], warned: ['exchange.token-unguessable'] },
  ],
  [
    'a status of its own for unknown users, beside another realm',
    [services.unknownUser400, 'realm-in-other-case'],
    ['challenge.www-authenticate', 'exchange.refusal-like-challenge', 'exchange.unknown-user-refused'],
    { failed: ['challenge.www-authenticate'], warned: ['exchange.refusal-like-challenge'], told: 'status 400' },
  ],
  [
    'an id with a fraction that makes the server fail, behind an id with a zero in front that is accepted',
    ['id-read-loosely', services.fraction500],
    odd,
    { warned: ['exchange.id-spelling', 'exchange.no-server-error'] },
  ],
  [
    'sessions of a framework',
    ['realm-in-other-case', 'token-while-it-lives', 'expires-after-two-thirds', 'vocabulary-open', 'nonce-not-needed'],
    sessions,
    { failed: sessions },
  ],
  [
    'maps in memory, since the start of the process',
    [
      services.emptyParaphraseOfNobody,
      'life-from-process-start',
      services.loginsLost(40, 500),
      'link-missing-on-exchange',
      'delete-open',
      'wrong-credentials-401-in-other-words',
    ],
    maps,
    { failed: maps },
  ],
])('%s is judged right', async (_, wrong, only, { failed = [], warned = [], verdict, told = '', options, base } = {}) => {
  const report = await judged(wrong, { only, ...options }, { clock: 'manual', ...base });
  const must = verdict ?? (failed.length > 0 ? 'non-conformant' : 'conformant');
  expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([failed, warned, must]);
  expect(JSON.stringify(report.requirements)).toContain(told);
});

test('an account that locks for good after three refused logins, for whatever reason, is not locked', async () => {
  const server = await serving(['account-locked-after-three']);
  const report = await judging(server, { budget: 1000 });
  expect([failedOf(report), warnedOf(report), report.verdict]).toEqual([[], [], 'conformant']);
  expect(report.requirements.filter(({ reason = '' }) => /\blocked\b/.test(reason))).toEqual([]);
  expect((await logIn(server)).status).toBe(200);
});

test.each<[string, Wrong, string | RegExp]>([
  ['every seventh nonce is missing', services.everySeventhNonceMissing, 'challenge.nonce'],
  ['a proxy keeps what was served', services.cachingProxy, 'exchange.token-unique'],
  // Which of the two tells it depends on the connection that the first read without credentials comes upon.
  ['a login is remembered by the connection', 'connection-remembers-a-login', /protection\.collections|challenge\.status/],
])('where %s, there is a verdict and no stack trace', async (_, wrong, violated) => {
  const only = ['--only', 'challenge', 'exchange.token-unique', 'protection.collections', 'token.sufficient'];
  const { code, out, err, report } = await checking((await serving([wrong])).url, only);
  expect(out + err).not.toMatch(stackTrace);
  expect(failedOf(report).join(' ')).toMatch(violated);
  expect([code, report.verdict]).toEqual([1, 'non-conformant']);
});

test('where something is missing now and then, the rate is told', async () => {
  const report = await judged([services.everySeventhNonceMissing], { only: ['challenge.nonce'], concurrency: 1 });
  const [{ rate = { failed: 0, of: 0 } } = {}] = failuresOf(report, 'challenge.nonce');
  // Some answers come before anything is judged.
  expect([6, 7]).toContain(Math.round(rate.of / rate.failed));
});

test.each([401, 500] as const)('right logins that fail one time in 30 with %i are told, and how often it happened', async (status) => {
  const report = await judged([services.loginsLost(30, status)]);
  expect([failedOf(report), report.verdict]).toEqual([['exchange.status'], 'non-conformant']);
  const { failed = 0, of = 0 } = failuresOf(report, 'exchange.status').find(({ rate }) => rate !== undefined)?.rate ?? {};
  expect(failed).toBeGreaterThan(0);
  expect(of / failed).toBeGreaterThan(15);
  expect(of).toBeGreaterThan(100);
});

test.each(['exchange.status', 'challenge.nonce-newly-issued'])('a run for %s alone sends only what can show it', async (only) => {
  const report = await judged([], { only: [only] });
  expect([report.verdict, report.requests < 600]).toEqual(['conformant', true]);
});

test('behind a token that is handed out again while it is valid, nothing stays untested, and every question is answered', async () => {
  const report = await judged(['token-while-it-lives'], {}, { clock: 'manual' });
  expect([failedOf(report), warnedOf(report)]).toEqual([['exchange.token-unique'], []]);
  const isHidden = ({ outcome, reason = '' }: Report['requirements'][number]) =>
    outcome === 'untested' && reason !== 'What it saw is told by exchange.token-unique.';
  // Where the token of an earlier login comes again, a later one has no life of its own.
  const hidden = ['expiry.counted-from-issue', 'config.users', 'config.switch-authentication', 'config.switch-tokens'];
  expect(report.requirements.filter(isHidden).map(({ id }) => id)).toEqual(hidden);
  expect(report.observations.filter(({ answer }) => answer === 'not observed')).toEqual([]);
  // Made with a token that was alive when it was looked at.
  const answers = { 'token.beside-credentials': 'the resource, by rule 4', 'errors.other-errors': '404 Not Found' };
  expect(Object.fromEntries(report.observations.map(({ id, answer }) => [id, answer]))).toMatchObject({
    ...answers,
    'expiry.instant': 'no, the end is exclusive',
    'challenge.nonce-lifetime': '5 minutes',
  });
});

test('an open entry point is told beside open paths that do not exist', async () => {
  const wrong = [services.openEntryPoint, services.openUnknownPaths];
  const told = failuresOf(await judged(wrong, { only: ['protection.unknown-paths'] }), 'protection.unknown-paths');
  expect(told.length).toBeLessThanOrEqual(5);
  const all = told.flatMap(({ expected, explains = [] }) => [expected, ...explains.map(({ what }) => what)]).join('\n');
  for (const address of [
    'is the entry point (the base URL),',
    'is the entry point (the base URL) with a slash',
    'does not exist',
    'is /favicon.ico',
  ])
    expect(all).toContain(`the address ${address}`);
});

test.each([
  ['tokens-end-with-the-delete-of-a-stranger', 'DELETE'],
  ['token-refused-after-the-post-of-a-stranger', 'POST'],
])('%s: the request that is the cause stands in the chain and in the script, and no path leads past it', async (fault, method) => {
  const report = await judged([fault], { only: ['token', 'protection.methods'] });
  expect(failedOf(report)).toEqual(['token.independent']);
  const check = failuresOf(report, 'token.independent').find(({ cause }) => cause !== undefined);
  expect(check?.cause).toMatch(new RegExp(`^${method} .*, sent before it: without that request the answer is right$`));
  const methods = check?.exchanges.flatMap((each) => ('request' in each ? [each.request.method] : []));
  // The control, the cause, and the same request once more.
  expect(methods?.slice(-3)).toEqual(['GET', method, 'GET']);
  expect([check?.curl, check?.path]).toEqual([expect.stringContaining(method), null]);
  const told = report.requirements.flatMap(({ id, checks }) => checks.map(({ message }) => [id, message?.split('reported under ')[1]]));
  const elsewhere = told.filter(([id, under]) => under !== undefined && (under === id || !/token\.independent|another check/.test(under)));
  expect(elsewhere).toEqual([]);
});
