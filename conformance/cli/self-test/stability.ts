import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { busyLaws, isRight, type Row, type Specimen, stabilityOf } from '../../self-test/index.js';
import { type Order, withCrew } from './crew.js';
import { specimens } from './specimens.js';

/**
 * Judges the reference server and five variants whole, and every fault by the requirements it names, with many seeds, and writes the
 * figures. Takes about half an hour; no part of the tests. Call: tsx conformance/cli/self-test/stability.ts FILE [SEEDS]
 */
const [file, count = '20'] = process.argv.slice(2);
if (file === undefined) throw new Error('the file to write is missing');
const seeds = Array.from({ length: Number(count) }, (_, index) => index + 101);
const variants = ['wrong-credentials-403', 'nonce-short-lived', 'letter-case-does-not-count', 'slow', 'lenient-router'];

const conformant = specimens(['reference', ...variants]).flatMap((each) => seeds.map((seed) => orderOf(each, seed)));
const faults = specimens()
  .filter(({ kind }) => kind === 'fault')
  .flatMap((each) => seeds.map((seed) => orderOf(each, seed, each.expected)));
const orders = [...conformant, ...faults];
const rows = await carryOut(orders);

// Some faults are only seen in the answers to many odd requests, as a whole run sends them.
const again = orders.filter((order, at) => order.kind === 'fault' && !isRight(rows[at] as Row));
const wider = await carryOut(again.map((order) => ({ ...order, depth: { ...order.depth, only: [...order.expected, ...busyLaws] } })));
again.forEach((order, at) => {
  rows[orders.indexOf(order)] = wider[at] as Row;
});

const stability = stabilityOf(seeds.length, rows);
writeFileSync(file, `${JSON.stringify(stability, undefined, 1)}\n`);
process.exit(stability.alarms === 0 && stability.missed.length === 0 ? 0 : 1);

function orderOf({ kind, id, sentence, expected }: Specimen, seed: number, only?: readonly string[]): Order {
  return { kind, id, sentence, expected, measure: ['laws'], depth: { seed, ...(only === undefined ? {} : { only }) } };
}

function carryOut(all: readonly Order[]): Promise<Row[]> {
  let done = 0;
  return withCrew(all, availableParallelism(), new AbortController().signal, (row) => {
    done += 1;
    if (!isRight(row)) process.stderr.write(`${row.id}: ${JSON.stringify({ ...row, engines: {} })}\n`);
    if (done % 100 === 0) process.stderr.write(`${done} of ${all.length}\n`);
  });
}
