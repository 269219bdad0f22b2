import { expect, test } from 'vitest';
import { createReferenceServer } from '../index.js';
import { alice, aliceBasic, basic, get, nonceOf } from './support.js';

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const right = base64(`${alice.id}:${alice.paraphrase}`);
const server = createReferenceServer({
  users: [
    alice,
    { id: 2, paraphrase: 'other' },
    { id: -7, paraphrase: 'minus' },
    { id: 0, paraphrase: 'nought' },
    { id: 4, paraphrase: 'é' },
  ],
});

async function status(authorization: string): Promise<number> {
  return (await get(server, '/api/books', { 'x-authentication': await nonceOf(server), authorization })).statusCode;
}

test.each([aliceBasic, `basic ${right}`, `BASIC ${right}`, `Basic  ${right}`, basic(-7, 'minus'), basic(0, 'nought'), basic(4, 'é')])(
  '%s is accepted',
  async (each) => {
    expect(await status(each)).toBe(200);
  },
);

const { id, paraphrase } = alice;
const refused = [
  basic(id, 'wrong'),
  basic(id, paraphrase.slice(0, -1)),
  basic(id, `${paraphrase} `),
  basic(id, ` ${paraphrase}`),
  basic(id, paraphrase.toUpperCase()),
  basic(id, `${paraphrase}\0`),
  basic(id, ''),
  basic(id, 'other'),
  basic(2, paraphrase),
  basic(99, paraphrase),
  basic('', paraphrase),
  ...['01', '+1', ' 1', '1 ', '1.0', '1e0', '0x1', '１', '1abc', '1.5', '-1', '-0', 'null', '__proto__', '9007199254740993'].map((other) =>
    basic(other, paraphrase),
  ),
  'Basic',
  'Basic ',
  `Bearer ${right}`,
  `Basic:${right}`,
  `Basic\t${right}`,
  `Basic ${right}=`,
  `Basic ${right.replace(/=+$/, '')}x`,
  `Basic ${right} x`,
  `Basic !${right}`,
  `Basic ${base64(paraphrase)}`,
  `Basic ${base64(`${id}`)}`,
  `Basic ${base64(Buffer.from('4:\u00e9', 'latin1'))}`,
  right,
  basic(4, 'e\u0301'),
];

test.each(refused)('%s is refused', async (each) => {
  expect(await status(each)).toBe(401);
});

test('base64url and base64 with blanks are no base64 here', async () => {
  const users = [{ id: 5, paraphrase: '???>>>~~~' }];
  const other = createReferenceServer({ users });
  const encoded = Buffer.from('5:???>>>~~~');
  expect(encoded.toString('base64')).not.toBe(encoded.toString('base64url'));
  const answer = await get(other, '/api/books', {
    'x-authentication': await nonceOf(other),
    authorization: `Basic ${encoded.toString('base64url')}`,
  });
  expect(answer.statusCode).toBe(401);
});
