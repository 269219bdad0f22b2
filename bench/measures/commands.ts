import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Fixtures from '../../fixtures/index.js';
import { spec } from '../../spec/index.js';
import { type Bench, checking } from '../bench.js';
import { built, cli, root, timeCommand } from '../build.js';
import { byTurns, quotients, summarize } from '../figures.js';
import { user } from '../users.js';

/** Whole commands, start to end, against what people would run instead. */
export async function measureCommands({ add, rounds, serve, log }: Bench): Promise<void> {
  log('commands');
  const { ready } = await serve('reference', { clock: 'manual' });
  const folder = join(root, '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const collection = join(folder, 'flow.postman_collection.json');
  writeFileSync(collection, JSON.stringify(oneFlow(ready.url)));
  const check = checking(ready);
  const seconds = await byTurns(rounds + 4, {
    newman: () => timeCommand([join(root, 'node_modules', 'newman', 'bin', 'newman.js'), 'run', collection]),
    laws: () => timeCommand([...check, '--engine', 'laws']),
    full: () => timeCommand(check),
    help: () => timeCommand([cli, '--help']),
    node: () => timeCommand(['-e', '0']),
  });
  const raw = Object.fromEntries(Object.entries(seconds).map(([name, each]) => [`${name}Seconds`, summarize(each)]));
  add('fullLawsRunVsNewmanOneFlow', quotients(seconds.laws, seconds.newman), raw);
  add('fullRunVsNewmanOneFlow', quotients(seconds.full, seconds.newman), raw);
  add('startUpVsBareNode', quotients(seconds.help, seconds.node), raw);
}

/** One happy flow for Newman, as somebody would click it together: three requests, a status test each. */
function oneFlow(url: string) {
  const { headers, challenge, exchange } = spec.protocol;
  const keep = (variable: string, header: string) => `pm.collectionVariables.set('${variable}', pm.response.headers.get('${header}'));`;
  const item = (name: string, status: number, header: readonly (readonly [string, string])[], more: object = {}, script = '') => ({
    name,
    request: { method: 'GET', url: `${url}/books`, header: header.map(([key, value]) => ({ key, value })), ...more },
    event: [{ listen: 'test', script: { exec: [`pm.test('status', () => pm.response.to.have.status(${status}));`, script] } }],
  });
  const basic = [
    { key: 'username', value: user.id },
    { key: 'password', value: user.paraphrase },
  ];
  return {
    info: { name: 'One flow', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      item('A', challenge.status, [], {}, keep('nonce', headers.nonce)),
      item('B', exchange.status, [[headers.nonce, '{{nonce}}']], { auth: { type: 'basic', basic } }, keep('token', headers.token)),
      item('C', 200, [[headers.token, '{{token}}']]),
    ],
  };
}

/** One of so many faults and variants: enough to know what all cost. */
const everyNth = 25;

/** How long the self-test takes, both engines together, on as many processes as there are cores. */
export async function measureSelfTest({ add, quick, log }: Bench): Promise<void> {
  log('selfTestMinutes');
  const { faults, variants } = (await import(built('fixtures', 'index.js'))) as typeof Fixtures;
  const all = [...faults, ...variants].map(({ id }) => id);
  const chosen = all.filter((_, at) => at % (quick ? all.length : everyNth) === 0);
  const seconds = await timeCommand([cli, 'self-test', '--only', ...chosen]);
  const what = `the whole self-test with ${all.length} faults and variants, by ${chosen.length} of them`;
  add('selfTestMinutes', [(seconds / chosen.length) * (all.length / 60)], { seconds, chosen }, what);
}
