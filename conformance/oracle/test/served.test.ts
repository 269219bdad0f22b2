import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { answer } from '../../test/messages.js';
import { ServedRecord } from '../served.js';

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

test('of long documents no more is kept than tells them apart', () => {
  const served = new ServedRecord();
  gc();
  const before = memoryUsage().heapUsed;
  for (let count = 0; count < 20; count += 1) {
    const name = `/${count}${'x'.repeat(1_000_000)}`;
    served.note(answer(200, [], JSON.stringify({ '@id': name, member: [{ '@id': name }] }), 'OK'), false);
  }
  gc();
  expect(memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});
