import type * as Fixtures from '../../fixtures/index.js';
import type { Bench } from '../bench.js';
import { built, cli } from '../build.js';
import { figure } from '../result.js';
import { timeCommand } from '../time-command.js';

/** One of so many faults and variants: enough to know what one costs. */
const everyNth = 25;

/** What one fault or variant costs in the self-test, both engines together, on as many processes as there are cores. */
export async function measureSelfTest({ results, options, log }: Bench): Promise<void> {
  log('selfTestPerTarget');
  const { faults, variants } = (await import(built('fixtures', 'index.js'))) as typeof Fixtures;
  const all = [...faults, ...variants].map(({ id }) => id);
  const chosen = all.filter((_, at) => at % (options.quick ? all.length : everyNth) === 0);
  const seconds = await timeCommand([cli, 'self-test', '--only', ...chosen]);
  const what = `seconds a fault or variant in the self-test, of ${chosen.length} among ${all.length}`;
  const each = seconds / chosen.length;
  const raw = { seconds, targets: chosen, ofAll: all.length, wholeSelfTestMinutes: each * (all.length / 60) };
  results.figures.push(figure('selfTestPerTarget', what, [each], { unit: 's', raw }));
}
