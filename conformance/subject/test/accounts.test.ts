import { expect, test } from 'vitest';
import { ada, bob } from '../../test/messages.js';
import { Accounts } from '../index.js';

/** Lets everything happen that waits for nothing else. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

/** Work on borrowed accounts that ends when it is told to; `under` names whose is under way. */
function desk() {
  const accounts = new Accounts();
  const under: string[] = [];
  const ends: (() => void)[] = [];
  const work = (user: { id: string }) =>
    new Promise<void>((resolve) => {
      under.push(user.id);
      ends.push(() => {
        under.splice(under.indexOf(user.id), 1);
        resolve();
      });
    });
  const end = async () => {
    ends.shift()?.();
    await settled();
  };
  return { accounts, under, work, end };
}

test('an account is lent twice at a time, and the third waits', async () => {
  const { accounts, under, work, end } = desk();
  for (let count = 0; count < 3; count += 1) void accounts.borrow([ada], work);
  await settled();
  expect(under).toEqual([ada.id, ada.id]);
  await end();
  expect(under).toEqual([ada.id, ada.id]);
  await end();
  expect(under).toEqual([ada.id]);
});

test('whoever takes any account gets one that is free', async () => {
  const { accounts, under, work } = desk();
  for (let count = 0; count < 5; count += 1) void accounts.borrow([ada, bob], work);
  await settled();
  expect(under).toEqual([ada.id, ada.id, bob.id, bob.id]);
});

test('a whole account is lent to one at a time', async () => {
  const { accounts, under, work, end } = desk();
  void accounts.borrow([ada], work);
  void accounts.borrowWhole([ada], work);
  void accounts.borrowWhole([ada], work);
  await settled();
  expect(under).toEqual([ada.id]);
  await end();
  expect(under).toEqual([ada.id]);
  expect(accounts.wrongInARow).toBe(2);
});

test('those who are next prepare while others have the account, and nobody earlier', async () => {
  const { accounts, under, work, end } = desk();
  const prepared: number[] = [];
  for (let number = 1; number <= 6; number += 1)
    void accounts.borrow([ada], work, async () => {
      prepared.push(number);
    });
  await end();
  expect([under, prepared]).toEqual([
    [ada.id, ada.id],
    [1, 2, 3, 4],
  ]);
  await end();
  expect(prepared).toEqual([1, 2, 3, 4, 5]);
});

test('an account is given back where nothing could be prepared', async () => {
  const accounts = new Accounts();
  const fail = () =>
    accounts.borrowWhole(
      [ada],
      async () => {},
      () => Promise.reject(new Error('no nonce')),
    );
  await expect(fail()).rejects.toThrow('no nonce');
  await expect(fail()).rejects.toThrow('no nonce');
});

test('an account is given back where the work fails', async () => {
  const accounts = new Accounts();
  const fail = () => accounts.borrowWhole([ada], () => Promise.reject(new Error('refused')));
  await expect(fail()).rejects.toThrow('refused');
  await expect(fail()).rejects.toThrow('refused');
});
