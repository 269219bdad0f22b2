import fc from 'fast-check';
import { grantOf } from '../ledger/index.js';
import { type Trial, Untested, Violation } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import { law } from './law.js';
import { workingToken } from './working-token.js';

const askers = ['nobody', 'an unknown token'] as const;

/**
 * A guard that answers and does not end the request lets the application go on with it. So a collection that reads alike twice must
 * read alike after a write that was refused; one that differs is tried again, because somebody else may have changed it.
 */
export const noEffect = law<(typeof askers)[number]>('protection.methods', {
  name: 'no-effect',
  afterOthers: true,
  given: () => fc.constantFrom(...askers),
  examples: () => ['nobody'],
  randomCases: () => 0,
  async judge(trial) {
    const token = await workingToken(trial);
    const read = async () => {
      const exchange = await trial.use(token);
      trial.expectServedAsControl(exchange);
      return trial.answered(exchange).body;
    };
    const before = await read();
    if (!before.equals(await read())) throw new Untested('the collection reads otherwise each time, so that nothing can be seen in it');
    for (let earlier = before, changes = 0; ; changes += 1) {
      trial.chain.length = 0;
      const name = `written without credentials (${changes + 1})`;
      await writeAsStranger(trial, name);
      const later = await read();
      if (later.equals(earlier)) return;
      const isItsOwn = later.includes(name) && !earlier.includes(name);
      if (isItsOwn || changes > 0)
        throw new Violation(
          'a POST that is refused changes nothing',
          isItsOwn ? 'what it sent stands in the collection' : 'the collection is another one after each',
        );
      earlier = later;
    }
  },
});

async function writeAsStranger(trial: Trial, name: string): Promise<void> {
  const { mediaType } = trial.protocol;
  const headers: HeaderLine[] = [['Content-Type', mediaType]];
  const body = JSON.stringify({ '@type': 'Thing', name, title: name, label: name });
  const exchange = await trial.send({ method: 'POST', headers, body }, 'challenge');
  if (grantOf(trial.answered(exchange), trial.protocol) !== 'nothing')
    throw new Untested('a POST without credentials is served (see protection.methods)');
}
