import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OptionError, spec } from '../spec/index.js';
import type { Bench } from './bench.js';
import { build } from './build.js';
import { startChild } from './children.js';
import { cpuTime, describeMachine, loadNow, stolenBetween } from './machine.js';
import { measureCommands } from './measures/commands.js';
import { measureControl } from './measures/control.js';
import { measureDelicate } from './measures/delicate.js';
import { measureGrowth } from './measures/growth.js';
import { measureMemory } from './measures/memory.js';
import { measurePrism } from './measures/prism.js';
import { measureRedis } from './measures/redis.js';
import { measureRequestRate } from './measures/request-rate.js';
import { measureSelfTest } from './measures/self-test.js';
import { measureSteps } from './measures/steps.js';
import { readOptions } from './options.js';
import { toJson } from './report/json.js';
import { report } from './report/table.js';
import type { Results } from './result.js';

const measures: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  steps: measureSteps,
  control: measureControl,
  rate: measureRequestRate,
  commands: measureCommands,
  prism: measurePrism,
  redis: measureRedis,
  delicate: measureDelicate,
  growth: measureGrowth,
  memory: measureMemory,
  'self-test': measureSelfTest,
};

try {
  const options = readOptions(process.argv.slice(2), Object.keys(measures));
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  log('build');
  build();
  const machine = describeMachine();
  const before = cpuTime();
  const results: Results = { figures: [], growth: [], peers: [], also: {} };
  const bench: Bench = {
    options,
    spec,
    results,
    loader: await startChild('load/generator.ts'),
    rounds: options.quick ? 2 : 7,
    burstSeconds: options.quick ? 0.5 : 2,
    log,
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (options.only.length === 0 || options.only.includes(name)) await measure(bench);
  }
  await bench.loader.stop();
  const told = { ...machine, loadAfter: loadNow(), stolen: stolenBetween(before, cpuTime()), quick: options.quick };
  process.stdout.write(`${report(results)}\n${told.cpu}, ${told.cores} cores, ${told.system}, Node.js ${told.node}; `);
  process.stdout.write(`load ${told.loadBefore} before, ${told.loadAfter} after\n`);
  if (options.json !== undefined) {
    const file = resolve(options.json);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(toJson(results, told), null, 2)}\n`);
  }
  process.exit(0);
} catch (error) {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isCall = code?.startsWith('ERR_PARSE_ARGS') || error instanceof OptionError;
  process.stderr.write(
    `${isCall ? `${message}\nUse: npm run bench -- [--quick] [--json FILE] [--only MEASURE…]` : (stack ?? String(error))}\n`,
  );
  process.exit(1);
}
