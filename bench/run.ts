import { writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { OptionError } from '../spec/index.js';
import type { Bench, Served } from './bench.js';
import { build } from './build.js';
import { type Child, startChild } from './children.js';
import { addTo, type Figure, figureParts, type Measured } from './figures.js';
import { measureCommands, measureSelfTest } from './measures/commands.js';
import { measureDelicate } from './measures/delicate.js';
import { measureMemory, measurePairs } from './measures/pairs.js';
import { measureRate } from './measures/rate.js';

const measures: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  pairs: measurePairs,
  rate: measureRate,
  commands: measureCommands,
  delicate: measureDelicate,
  memory: measureMemory,
  'self-test': measureSelfTest,
};

try {
  const known = { quick: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string', multiple: true } } as const;
  const { quick, json, only = Object.keys(measures) } = parseArgs({ options: known }).values;
  const unknown = only.find((name) => !(name in measures));
  if (unknown !== undefined) throw new OptionError('--only', `${unknown} is no measure; there are ${Object.keys(measures).join(', ')}`);
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  log('build');
  build();
  const loadNow = () => Math.round((loadavg()[0] as number) * 100) / 100;
  const [before, takenAt] = [loadNow(), new Date().toISOString()];
  const started: Child<unknown>[] = [];
  const start = async <Ready>(...given: Parameters<typeof startChild>) => {
    const child = await startChild<Ready>(...given);
    started.push(child);
    return child;
  };
  const serve: Bench['serve'] = (kind, settings, nodeOptions): Promise<Served> => start('servers.ts', { ...settings, kind }, nodeOptions);
  const figures: Figure[] = [];
  const bench: Bench = { quick, rounds: quick ? 2 : 7, add: addTo(figures), serve, loader: () => start('load.ts'), log };
  for (const [name, measure] of Object.entries(measures)) {
    if (!only.includes(name)) continue;
    await measure(bench);
    await Promise.all(started.splice(0).map((child) => child.stop()));
  }
  const machine: Measured['machine'] = {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryMb: Math.round(totalmem() / 2 ** 20),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    load: [before, loadNow()],
    takenAt,
    quick,
  };
  const ratios = Object.fromEntries(figures.map(({ name, summary }) => [name, summary?.median ?? null]));
  const measured: Measured = { ratios, figures, machine };
  process.stdout.write(`${figureParts(measured).join('\n\n')}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, null, 2)}\n`);
  process.exit(0);
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isCall = code?.startsWith('ERR_PARSE_ARGS') || error instanceof OptionError;
  const told = isCall ? `${message}\nUse: npm run bench -- [--quick] [--json FILE] [--only MEASURE…]` : (stack ?? String(error));
  process.stderr.write(`${told}\n`);
  process.exit(1);
}
