import fc from 'fast-check';
import { law } from '../laws/index.js';
import type { Subject, Trial } from '../subject/index.js';
import { type Step, steps } from './commands.js';
import { exampleHistories } from './examples.js';
import { type Model, newModel } from './model.js';

const stepsOfOneHistory = 12;

/** Random histories of all the steps, held against a model that knows what each answer must be, or that it is open. */
export const history = law<Iterable<fc.AsyncCommand<Model, Trial, boolean>>>('protection.history', {
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
    await fc.asyncModelRun(() => ({ model: newModel(), real: trial }), history);
  },
});
