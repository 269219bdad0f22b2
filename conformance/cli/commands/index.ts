import type { Args, CallableCommand } from '../command.js';
import { check } from './check.js';
import { compare } from './compare.js';
import { demo } from './demo.js';
import { exportDocument } from './export.js';
import { replay } from './replay.js';
import { requirements } from './requirements.js';
import { selfTest } from './self-test.js';
import { serve } from './serve.js';

const loadNewman = async () => (await import('../../postman/newman/start.js')).warmNewman();
/** A file may say that it is not needed. */
const needsNewman = (args: Args) => args.text('engine') !== 'laws' && args.text('auth') !== 'off' && args.text('config') === undefined;

/** Every command, in the order of the help. Its code is imported when it is called: heavy modules by the command that needs them. */
export const commands: readonly CallableCommand[] = [
  { ...check, prepare: async (args) => (needsNewman(args) ? loadNewman() : undefined), load: () => import('../check.js') },
  { ...serve, load: () => import('../serve-command.js') },
  { ...demo, prepare: loadNewman, load: () => import('../demo.js') },
  { ...selfTest, load: () => import('../self-test.js') },
  { ...requirements, load: () => import('../requirements.js') },
  { ...exportDocument, load: () => import('../export.js') },
  { ...replay, load: () => import('../replay.js') },
  { ...compare, load: () => import('../compare.js') },
];
