import type * as Fixtures from '../../fixtures/index.js';
import type { Bench } from '../bench.js';
import { built, cli, timeCommand } from '../build.js';
import { figure } from '../figures.js';

/** One of so many faults and variants: enough to know what all cost. */
const everyNth = 25;

/** How long the self-test takes, both engines together, on as many processes as there are cores. */
export async function measureSelfTest({ figures, quick, log }: Bench): Promise<void> {
  log('selfTestMinutes');
  const { faults, variants } = (await import(built('fixtures', 'index.js'))) as typeof Fixtures;
  const all = [...faults, ...variants].map(({ id }) => id);
  const chosen = all.filter((_, at) => at % (quick ? all.length : everyNth) === 0);
  const seconds = await timeCommand([cli, 'self-test', '--only', ...chosen]);
  const what = `the whole self-test with ${all.length} faults and variants, by ${chosen.length} of them`;
  const minutes = (seconds / chosen.length) * (all.length / 60);
  figures.push(figure('selfTestMinutes', what, [minutes], { unit: 'min', goal: { atMost: 8 }, raw: { seconds, chosen } }));
}
