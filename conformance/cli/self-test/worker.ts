import { loadSpec, spec as ownSpec, type Spec } from '../../../spec/index.js';
import { keepNewman } from '../../postman/index.js';
import { examineQuickly, examineRow } from '../../self-test/index.js';
import { specimenOf } from './specimens.js';
import type { Job } from './worker-pool.js';

const loaded = new Map<string | undefined, Spec>([[undefined, ownSpec]]);

keepNewman();
process.on('message', ({ specimen, depth, quick, spec: file }: Job) => {
  const spec = loaded.get(file) ?? loadSpec(file);
  loaded.set(file, spec);
  const judge = quick ? examineQuickly : examineRow;
  void judge(specimenOf(specimen.id, spec), { ...depth, spec }).then((row) => process.send?.(row, () => {}));
});
process.on('disconnect', () => process.exit());
