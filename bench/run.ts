import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OptionError, spec } from '../spec/index.js';
import type { Bench } from './bench.js';
import { build } from './build.js';
import { type Child, startChild } from './children.js';
import { cpuTime, describeMachine, loadNow, stolenBetween } from './machine.js';
import { measureCommands } from './measures/commands.js';
import { measureControl } from './measures/control.js';
import { measureDelicate } from './measures/delicate.js';
import { measureFleet } from './measures/fleet.js';
import { measureGrowth } from './measures/growth.js';
import { measureMemory } from './measures/memory.js';
import { measurePrism } from './measures/prism.js';
import { measureProxy } from './measures/proxy.js';
import { measureRedis } from './measures/redis.js';
import { measureRequestRate } from './measures/request-rate.js';
import { measureSelfTest } from './measures/self-test.js';
import { measureSteps } from './measures/steps.js';
import { report, toJson } from './report/results.js';
import type { Results } from './result.js';

const measures: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  steps: measureSteps,
  control: measureControl,
  proxy: measureProxy,
  rate: measureRequestRate,
  commands: measureCommands,
  prism: measurePrism,
  redis: measureRedis,
  delicate: measureDelicate,
  growth: measureGrowth,
  fleet: measureFleet,
  memory: measureMemory,
  'self-test': measureSelfTest,
};

try {
  const known = { quick: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string', multiple: true } } as const;
  const { quick, json, only = [] } = parseArgs({ options: known }).values;
  const options = { quick, json, only };
  const unknown = only.find((name) => !(name in measures));
  if (unknown !== undefined) throw new OptionError('--only', `${unknown} is no measure; there are ${Object.keys(measures).join(', ')}`);
  const log = (text: string) => void process.stderr.write(`${text}\n`);
  log('build');
  build();
  const machine = describeMachine();
  const before = cpuTime();
  const started: Child<unknown>[] = [];
  const results: Results = { figures: [], growth: [], peers: [], also: {} };
  const bench: Bench = {
    options,
    spec,
    results,
    start: async <Ready>(...given: Parameters<typeof startChild>) => {
      const child = await startChild<Ready>(...given);
      started.push(child);
      return child;
    },
    loader: await startChild('load/generator.ts'),
    rounds: quick ? 2 : 7,
    burstSeconds: quick ? 0.5 : 2,
    log,
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (only.length > 0 && !only.includes(name)) continue;
    await measure(bench);
    await Promise.all(started.splice(0).map((child) => child.stop()));
  }
  await bench.loader.stop();
  const told = { ...machine, loadAfter: loadNow(), stolen: stolenBetween(before, cpuTime()), quick };
  process.stdout.write(`${report(results)}\n${told.cpu}, ${told.cores} cores, ${told.system}, Node.js ${told.node}; `);
  process.stdout.write(`load ${told.loadBefore} before, ${told.loadAfter} after\n`);
  if (json !== undefined) {
    const file = resolve(json);
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
