import { loadSpec, spec as ownSpec, type Spec } from '../../../spec/index.js';
import { doJobs } from '../../parallel.js';
import { keepNewman } from '../../postman/index.js';
import { type Depth, examineQuickly, examineRow, type Row, type Specimen } from '../../self-test/index.js';
import { specimenOf } from './specimens.js';

/** What a worker, which holds both the server and its judge, is asked to do: to judge one specimen. */
export interface Job {
  readonly specimen: Omit<Specimen, 'start'>;
  readonly depth: Depth;
  readonly quick: boolean;
  /** The file of the profile; the package's own where it is missing. */
  readonly spec: string | undefined;
}

const loaded = new Map<string | undefined, Spec>([[undefined, ownSpec]]);

keepNewman();
doJobs<Job, Row>(({ specimen, depth, quick, spec: file }, { signal }) => {
  signal.addEventListener('abort', () => process.exit());
  const spec = loaded.get(file) ?? loadSpec(file);
  loaded.set(file, spec);
  return (quick ? examineQuickly : examineRow)(specimenOf(specimen.id, spec), { ...depth, spec });
});
