import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Matrix, Specimen } from '../../self-test/index.js';
import { kitVersion } from '../../version.js';
import type { Command } from '../command.js';
import type { Io } from '../io.js';
import { givenSpec, specFile, specOption } from '../profile.js';
import { tryToWrite } from '../try-to-write.js';

export const selfTest: Command = {
  name: 'self-test',
  summary: 'Judge the judge: every fault and every variant against the suite.',
  text: 'Each fault must fail exactly the requirements it names, each variant none. Both engines judge together, as users run them.',
  positionals: [],
  options: [
    { name: 'json', value: 'F', text: 'Write the matrix as JSON.' },
    { name: 'list', text: 'Name every fault and variant with its sentence, and run nothing.' },
    { name: 'only', value: 'ID', many: true, text: 'Only these faults and variants.' },
    {
      name: 'pairs',
      value: 'N',
      whole: [1, 100_000],
      text: 'Instead of single ones, so many pairs of faults, or of a fault and a variant, that replace different functions of the server. Both must be told whole, and nothing else. The seed draws them; with --only each has one of these.',
    },
    { name: 'engine', value: 'E', allowed: ['all', 'laws', 'postman'], default: 'all', text: 'Which engines judge.' },
    { name: 'runs', value: 'N', whole: [1, 1_000_000], text: 'Random cases of each law.' },
    {
      name: 'seed',
      value: 'N',
      whole: [-(2 ** 31), 2 ** 31 - 1],
      default: '1',
      text: 'Where random cases begin, and which pairs are drawn.',
    },
    specOption,
    { name: 'workers', value: 'N', whole: [1, 64], text: 'How many processes to share the work; as many as there are cores by default.' },
  ],
  examples: [
    { line: 'hydrauth self-test --json matrix.json', text: 'Print the matrix and keep it.' },
    { line: 'hydrauth self-test --only sliding nonce-reusable', text: 'Try one fault and one variant.' },
    { line: 'hydrauth self-test --pairs 20 --seed 7', text: 'Try servers with two faults, or a fault and a variant.' },
  ],
  exitCodes: [
    { code: 0, text: 'Every fault is caught and no variant is flagged.' },
    { code: 1, text: 'A fault is missed or fails something else, or a variant is flagged, or a pair is not told whole.' },
    { code: 2, text: 'The call is wrong.' },
    { code: 3, text: 'It could not be carried out.' },
    { code: 130, text: 'Interrupted.' },
  ],
  async run(args, io) {
    tryToWrite(args, io, [{ name: 'json' }]);
    const startedAt = new Date();
    const [{ defaults }, { allRight, countsOf, matrixJson, matrixTable }, { runJobs }, { specimens }, { progressLine }] = await Promise.all(
      [
        import('../../run/index.js'),
        import('../../self-test/index.js'),
        import('../self-test/worker-pool.js'),
        import('../self-test/specimens.js'),
        import('../progress.js'),
      ],
    );
    const engine = args.text('engine') as 'all' | 'laws' | 'postman';
    const depth = { engine, runs: args.number('runs') ?? defaults.runs, seed: args.number('seed') ?? 1 };
    const only = args.texts('only');
    const spec = await givenSpec(args, io);
    const single = specimens(only, spec);
    const pairs = args.number('pairs');
    const chosen = pairs === undefined ? single : (await import('../self-test/pairs.js')).drawPairs(pairs, depth.seed, only, spec);
    if (args.flag('list')) return list(chosen, io);
    const jobs = chosen
      .filter(({ auth }) => auth === 'on' || engine !== 'postman')
      .map((specimen) => ({ specimen, depth, spec: specFile(args, io) }));
    const progress = progressLine(io);
    let done = 0;
    const rows = await runJobs(jobs, args.number('workers') ?? availableParallelism(), io.signal, (row) => {
      done += 1;
      progress.show({ done, total: jobs.length, what: row.id });
    }).finally(progress.clear);
    const matrix: Matrix = {
      kit: { name: 'hydrauth', version: kitVersion(), ...depth },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      counts: countsOf(rows),
      rows,
    };
    io.out(matrixTable(matrix));
    const file = args.text('json');
    if (file !== undefined) {
      const { writeWhole } = await import('../../report/index.js');
      writeWhole(resolve(io.cwd, file), matrixJson(matrix));
    }
    return allRight(matrix) ? 0 : 1;
  },
};

function list(chosen: readonly Specimen[], io: Pick<Io, 'out'>): number {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  io.out(chosen.map(({ kind, id, sentence }) => `${kind.padEnd(9)}  ${id.padEnd(width)}  ${sentence}\n`).join(''));
  return 0;
}
