import fc from 'fast-check';
import { grantOf } from '../oracle/index.js';
import { type Token, type Trial, Untested, Violation } from '../subject/index.js';
import type { HeaderLine } from '../wire/index.js';
import { law } from './law.js';
import { workingToken } from './working-token.js';

const expected = 'a POST that is refused changes nothing';
/** A collection may change by itself: so often it must change with a POST, and not with a read, before the POST is blamed. */
const rounds = 4;

/** A guard that answers and does not end the request lets the application go on with it. */
export const noEffect = law<number>('protection.methods', {
  name: 'no-effect',
  afterOthers: true,
  given: () => fc.constant(0),
  randomCases: () => 1,
  async judge(trial) {
    const token = await workingToken(trial);
    const before = await read(trial, token);
    if (!before.equals(await read(trial, token))) throw new Untested('the collection changes at every read');
    const name = 'written without credentials';
    trial.chain.length = 0;
    await write(trial, name);
    const after = await read(trial, token);
    if (after.equals(before)) return;
    if (after.includes(name) && !before.includes(name)) throw new Violation(expected, 'the collection contains what the POST sent');
    for (let round = 0; round < rounds; round += 1) {
      trial.chain.length = 0;
      const atFirst = await read(trial, token);
      await trial.stranger();
      if (!(await read(trial, token)).equals(atFirst)) throw new Untested('the collection changes by itself');
      trial.chain.length = 0;
      await write(trial, name);
      if ((await read(trial, token)).equals(atFirst)) throw new Untested('the collection does not change after every POST');
    }
    throw new Violation(expected, 'the collection changed after each POST');
  },
});

async function read(trial: Trial, token: Token): Promise<Buffer> {
  const exchange = await trial.use(token);
  trial.expectServedAsControl(exchange);
  return trial.answered(exchange).body;
}

async function write(trial: Trial, name: string): Promise<void> {
  const headers: HeaderLine[] = [['Content-Type', trial.protocol.mediaType]];
  const body = JSON.stringify({ '@type': 'Thing', name, title: name, label: name });
  const answer = trial.answered(await trial.send({ method: 'POST', headers, body }, 'challenge'));
  if (grantOf(answer, trial.protocol) !== 'nothing') throw new Untested('a POST without credentials is served');
}
