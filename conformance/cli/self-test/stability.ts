import { readFileSync, writeFileSync } from 'node:fs';
import { type Stability, timesAccused, timesFound } from '../../self-test/index.js';
import { specimens } from './specimens.js';

/**
 * Judges the reference server, five variants and every fault with many seeds and writes the figures. Takes long; no part of the tests.
 * Call: tsx conformance/cli/self-test/stability.ts FILE [SEEDS]. What the file already holds of an earlier call is not measured again.
 */
const [file, count = '20'] = process.argv.slice(2);
if (file === undefined) throw new Error('the file to write is missing');
const seeds = Array.from({ length: Number(count) }, (_, index) => index + 101);
const variants = ['wrong-credentials-403', 'nonce-short-lived', 'letter-case-does-not-count', 'slow', 'lenient-router'];

interface Notes {
  accused: Record<string, number>;
  found: Record<string, number>;
}

const notes = read(`${file}.notes`);
for (const each of specimens(['reference', ...variants])) {
  notes.accused[each.id] ??= await timesAccused(each, seeds);
  note(each.id);
}
const faults = specimens().filter(({ kind }) => kind === 'fault');
for (const each of faults) {
  if (notes.found[each.id] !== undefined) continue;
  notes.found[each.id] = await timesFound(each, seeds);
  note(each.id);
}

const stability: Stability = {
  seeds: seeds.length,
  variants,
  alarms: Object.values(notes.accused).reduce((sum, times) => sum + times, 0),
  faults: faults.length,
  missed: faults.flatMap(({ id }) => (notes.found[id] === seeds.length ? [] : [{ id, found: notes.found[id] ?? 0 }])),
};
writeFileSync(file, `${JSON.stringify(stability, undefined, 1)}\n`);
process.exit(stability.alarms === 0 && stability.missed.length === 0 ? 0 : 1);

function read(path: string): Notes {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Notes;
  } catch {
    return { accused: {}, found: {} };
  }
}

function note(id: string): void {
  process.stderr.write(`${id} ${notes.accused[id] ?? notes.found[id]}\n`);
  writeFileSync(`${file}.notes`, JSON.stringify(notes));
}
