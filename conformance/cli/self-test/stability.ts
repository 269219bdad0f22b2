import { readFileSync, writeFileSync } from 'node:fs';
import { type Matrix, stabilityOf } from '../../self-test/index.js';

/**
 * What several self-tests with different seeds say together.
 * Call: tsx conformance/cli/self-test/stability.ts FILE MATRIX.json…, each MATRIX.json written by `hydrauth self-test --seed N --json`.
 */
const [file, ...given] = process.argv.slice(2);
if (file === undefined || given.length === 0) throw new Error('the file to write or the files to read are missing');
const matrices = given.map((each) => JSON.parse(readFileSync(each, 'utf8')) as Matrix);
const stability = stabilityOf(matrices);
if (new Set(stability.seeds).size !== matrices.length) throw new Error(`a seed stands twice: ${stability.seeds.join(', ')}`);
writeFileSync(file, `${JSON.stringify(stability, undefined, 1)}\n`);
