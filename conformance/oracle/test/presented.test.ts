import { expect, test } from 'vitest';
import { basic, looseBase64, malformedAuthorizations } from '../../arbitraries/index.js';
import type { User } from '../../options.js';
import { ada, bob, credentialsLine, nonceLine, protocol, read, tokenLine } from '../../test/messages.js';
import { presentedBy } from '../presented.js';

const eve: User = { id: '300', paraphrase: 'pässwörd' };
const users = [ada, bob, eve];
const { scheme } = protocol.challenge;
const credentialsOf = (authorization: string) =>
  presentedBy(read([protocol.headers.authorization, authorization]), protocol, users).credentials;

test.each(looseBase64(scheme, ada).map(({ how, value }) => [how, value]))('right credentials with %s are told apart', (_, value) => {
  expect(credentialsOf(value)).toEqual({ kind: 'right', user: ada, spelling: 'base64' });
});

test('reads what a request brings, header names in any letter case', () => {
  expect(presentedBy(read(), protocol, users)).toEqual({ repeated: false });
  const lines = [nonceLine('n'), tokenLine('t'), credentialsLine(bob)].map(([name, value]) => [name.toUpperCase(), ` ${value} `] as const);
  expect(presentedBy(read(...lines), protocol, users)).toEqual({
    nonce: 'n',
    token: 't',
    credentials: { kind: 'right', user: bob },
    repeated: false,
  });
});

test.each([
  ['nonce', nonceLine('a'), nonceLine('b')],
  ['token', tokenLine('a'), tokenLine('b')],
  ['Authorization', credentialsLine(ada), credentialsLine(bob)],
])('says so when the %s stands on two lines', (_, one, other) => {
  expect(presentedBy(read(one, ['X-Other', 'x'], other), protocol, users).repeated).toBe(true);
});

test.each([
  ['the right ones', credentialsLine(ada)[1], { kind: 'right', user: ada }],
  ['a paraphrase with colons', credentialsLine(bob)[1], { kind: 'right', user: bob }],
  ['two blanks after the scheme', credentialsLine(ada)[1].replace(' ', '  '), { kind: 'right', user: ada }],
  [
    'the scheme in another letter case',
    credentialsLine(ada)[1].replace(scheme, scheme.toUpperCase()),
    { kind: 'right', user: ada, spelling: 'scheme' },
  ],
  ['the right paraphrase in Latin-1', basic(scheme, '300', 'pässwörd', 'latin1'), { kind: 'open' }],
  ['the right paraphrase in another normal form', basic(scheme, '300', 'pässwörd'.normalize('NFD')), { kind: 'open' }],
  ['a wrong paraphrase', basic(scheme, '1', 'Correct horse'), { kind: 'wrong', mistake: 'paraphrase', account: ada }],
  ['no paraphrase', basic(scheme, '1', ''), { kind: 'wrong', mistake: 'paraphrase', account: ada }],
  ["another user's paraphrase", basic(scheme, '1', bob.paraphrase), { kind: 'wrong', mistake: 'paraphrase', account: ada }],
  ['something before the right paraphrase', basic(scheme, '1', 'x:correct horse'), { kind: 'wrong', mistake: 'paraphrase', account: ada }],
  ['a wrong paraphrase in Latin-1', basic(scheme, '300', 'pässwör', 'latin1'), { kind: 'wrong', mistake: 'paraphrase', account: eve }],
  [
    'a wrong paraphrase, the scheme in capitals',
    basic(scheme.toUpperCase(), '1', 'x'),
    { kind: 'wrong', mistake: 'paraphrase', account: ada },
  ],
] as const)('credentials with %s', (_, authorization, expected) => {
  expect(credentialsOf(authorization)).toEqual(expected);
});

test.each(['01', '+1', ' 1', '1 ', '1.0', '1e0', '0x1'])('the id of a user written "%s" is told apart', (id) => {
  expect(credentialsOf(basic(scheme, id, ada.paraphrase))).toEqual({ kind: 'right', user: ada, spelling: 'id' });
});

test.each(['2', '10', '999999'])('the id %s may be that of a user whom nobody told of', (id) => {
  expect(credentialsOf(basic(scheme, id, ada.paraphrase))).toEqual({ kind: 'open' });
});

test.each(['', ' ', '-1', '1000000', '4294967297', '18446744073709551617', '1abc', '1.5', 'admin', '*', 'constructor'])(
  'the id "%s" is that of nobody',
  (id) => {
    expect(credentialsOf(basic(scheme, id, ada.paraphrase))).toEqual({ kind: 'wrong', mistake: 'id' });
  },
);

test.each(malformedAuthorizations(scheme, ada).map(({ how, value }) => [how, value.trim()] as const))(
  'malformed credentials are not right: %s',
  (how, value) => {
    const mistake = how.endsWith('behind the paraphrase') ? /^paraphrase$/ : /^(form|id)$/;
    expect(credentialsOf(value)).toMatchObject({ kind: 'wrong', mistake: expect.stringMatching(mistake) });
  },
);

test.each([
  '',
  scheme,
  'x',
  `${scheme} %%%`,
  `${scheme} ====`,
  `Bearer ${credentialsLine(ada)[1].slice(6)}`,
  `${scheme} ${Buffer.from('1').toString('base64')}`,
])('what is no Basic credentials at all is wrong in its form: "%s"', (value) => {
  expect(credentialsOf(value)).toEqual({ kind: 'wrong', mistake: 'form' });
});
