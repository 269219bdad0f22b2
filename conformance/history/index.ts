import fc from 'fast-check';
import { law } from '../laws/index.js';
import type { Subject, Trial } from '../subject/index.js';
import { type Held, type Step, steps } from './commands.js';
import { exampleHistories } from './examples.js';

const stepsOfOneHistory = 12;

/** Random histories of all the steps, held against the oracle. */
export const history = law<Iterable<fc.AsyncCommand<Held, Trial, boolean>>>('protection.history', {
  phase: 'history',
  given: (subject: Subject, replayPath?: string) =>
    fc.commands(steps(subject) as fc.Arbitrary<Step>[], {
      maxCommands: stepsOfOneHistory,
      ...(replayPath === undefined ? {} : { replayPath }),
    }),
  examples: exampleHistories,
  words: (taken) => Array.from(taken, String).join(', then '),
  randomCases: (runs) => Math.ceil(runs / 4),
  async judge(trial, history) {
    await fc.asyncModelRun(() => ({ model: { nonces: [], tokens: [] }, real: trial }), history);
  },
});
