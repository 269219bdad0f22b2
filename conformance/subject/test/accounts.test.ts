import { expect, test } from 'vitest';
import { ada, bob } from '../../test/messages.js';
import { Accounts } from '../index.js';

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
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { accounts, under, work, end };
}

test('an account is lent twice at a time, and the third waits', async () => {
  const { accounts, under, work, end } = desk();
  for (let count = 0; count < 3; count += 1) void accounts.borrow([ada], work);
  await Promise.resolve();
  expect(under).toEqual([ada.id, ada.id]);
  await end();
  expect(under).toEqual([ada.id, ada.id]);
  await end();
  expect(under).toEqual([ada.id]);
});

test('whoever takes any account gets one that is free', async () => {
  const { accounts, under, work } = desk();
  for (let count = 0; count < 5; count += 1) void accounts.borrow([ada, bob], work);
  await Promise.resolve();
  expect(under).toEqual([ada.id, ada.id, bob.id, bob.id]);
});

test('a whole account is lent to one at a time, with the number of wrong attempts that it bears', async () => {
  const { accounts, under, work, end } = desk();
  const numbers: number[] = [];
  void accounts.borrow([ada], work);
  void accounts.borrowWhole([ada], (user, wrongAttempts) => {
    numbers.push(wrongAttempts);
    return work(user);
  });
  await Promise.resolve();
  expect([under, numbers]).toEqual([[ada.id], []]);
  await end();
  expect([under, numbers]).toEqual([[ada.id], [2]]);
});

test('an account is given back where the work fails', async () => {
  const accounts = new Accounts();
  const fail = () => accounts.borrowWhole([ada], () => Promise.reject(new Error('refused')));
  await expect(fail()).rejects.toThrow('refused');
  await expect(fail()).rejects.toThrow('refused');
});
