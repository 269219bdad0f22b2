import { keepNewman } from '../../postman/index.js';
import { examineRow } from '../../self-test/index.js';
import { specimenOf } from './specimens.js';
import type { Job } from './worker-pool.js';

keepNewman();
process.on('message', ({ specimen, depth }: Job) => {
  void examineRow(specimenOf(specimen.id), depth).then((row) => process.send?.(row));
});
process.on('disconnect', () => process.exit());
