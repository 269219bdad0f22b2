import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { cli, root } from '../build.js';
import { figure } from '../result.js';
import { timeCommand } from '../time-command.js';

/** What one fault or variant costs in the self-test. */
export async function measureSelfTest({ results, options, log }: Bench): Promise<void> {
  const about = { name: 'selfTestPerTarget', what: 'seconds for each fault and variant in the self-test' };
  if (options.quick) {
    results.figures.push({ ...about, skipped: 'left out with --quick' });
    return;
  }
  log(about.name);
  const file = join(root, '.cache', 'bench', 'self-test.json');
  try {
    const seconds = await timeCommand([cli, 'self-test', '--json', file]);
    const targets = countTargets(JSON.parse(readFileSync(file, 'utf8')));
    results.figures.push(figure(about.name, about.what, [seconds / targets], { unit: 's', raw: { seconds, targets } }));
  } catch (error) {
    results.figures.push({ ...about, skipped: (error as Error).message.split('\n')[0] as string });
  }
}

function countTargets(matrix: unknown): number {
  if (Array.isArray(matrix)) return matrix.length;
  const lists = Object.values(matrix as object).filter((member): member is unknown[] => Array.isArray(member));
  return lists.reduce((sum, list) => sum + list.length, 0);
}
