import type { Command } from '../command.js';
import { attest } from './attest.js';
import { check } from './check.js';
import { checkClient } from './check-client.js';
import { compare } from './compare.js';
import { demo } from './demo.js';
import { explain } from './explain.js';
import { exportDocument } from './export.js';
import { faults, variants } from './fixtures.js';
import { fleet } from './fleet.js';
import { judgeFiles } from './judge.js';
import { merge } from './merge.js';
import { proxy, watch } from './proxy.js';
import { replay } from './replay.js';
import { report } from './report.js';
import { requirements } from './requirements.js';
import { selfTest } from './self-test.js';
import { serve } from './serve.js';
import { work } from './work.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  check,
  checkClient,
  watch,
  proxy,
  judgeFiles,
  serve,
  demo,
  selfTest,
  requirements,
  explain,
  faults,
  variants,
  exportDocument,
  report,
  replay,
  compare,
  fleet,
  merge,
  attest,
  work,
];
